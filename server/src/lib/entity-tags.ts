import { hash } from 'node:crypto';

/** The content of an `If-None-Match` or `If-Match` header: any tag, or a list of opaque tags including quotes. */
export type TagList = '*' | readonly string[];

// An entity tag, strong or weak, to the comma after it; empty elements of a list are allowed (RFC 9110, 5.6.1, 8.8.3).
const nextTag = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;
const rest = /^[ \t,]*$/;

/**
 * Parses the tags of `If-None-Match` or `If-Match` (RFC 9110, 13.1). The mark of a weak tag, which a compressed response has, is
 * dropped. Returns null if the header is absent or malformed.
 */
export function parseTagList(header: string | undefined): TagList | null {
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags: string[] = [];
  nextTag.lastIndex = 0;
  for (let end = 0; ; end = nextTag.lastIndex) {
    const tag = nextTag.exec(header)?.[1];
    if (tag !== undefined) tags.push(tag);
    else return tags.length > 0 && rest.test(header.slice(end)) ? tags : null;
  }
}

/** Returns the strong tag of a resource that has these values. */
export function tagOfValues(values: readonly unknown[]): string {
  return `"${hash('sha256', JSON.stringify(values), 'base64url').slice(0, 22)}"`;
}

/** Returns whether an `If-Match` header names the tag, or any. A malformed one names none. */
export function isMatched(tag: string, ifMatch: string): boolean {
  const tags = parseTagList(ifMatch);
  return tags === '*' || tags?.includes(tag) === true;
}
