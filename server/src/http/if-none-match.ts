/** The content of an `If-None-Match` header: any tag, or a list of opaque tags including quotes. */
export type IfNoneMatch = '*' | readonly string[];

// An entity tag, strong or weak, to the comma after it; empty elements of a list are allowed (RFC 9110, 5.6.1, 8.8.3).
const nextTag = /[ \t,]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y;
const rest = /^[ \t,]*$/;

/**
 * Parses an `If-None-Match` header (RFC 9110, 13.1.2). The comparison is weak, so the mark of a weak tag is dropped.
 * Returns null if the header is absent or malformed: the full response is always correct.
 */
export function parseIfNoneMatch(header: string | undefined): IfNoneMatch | null {
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
