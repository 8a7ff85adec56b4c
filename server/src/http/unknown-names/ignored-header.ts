import { maxIgnored, type UnknownName } from '../../api/unknown-names.ts';

/** The maximum length after encoding, without `body.` or `query.`, which keeps the header below 1.5 KB. */
const nameLength = 64;

/**
 * The value of `X-Ignored`: `body.location_code, query.updatedSince` [platform-26] [D64]. At most 20 names, each truncated to 64
 * characters. Everything but visible ASCII is percent-encoded as UTF-8, and so are `,` and `%`: splitting at the commas and
 * decoding restores the names.
 */
export function ignoredHeader(body: readonly UnknownName[], query: readonly UnknownName[]): string {
  const names = [
    ...body.map(({ path }) => `body.${encoded(path)}`),
    ...query.map(({ path }) => `query.${encoded(path)}`),
  ];
  return names.slice(0, maxIgnored).join(', ');
}

function encoded(path: string): string {
  let text = '';
  for (const character of path) {
    const next = /[!-~]/.test(character) && !',%'.includes(character) ? character : percentEncoded(character);
    if (text.length + next.length > nameLength) break;
    text += next;
  }
  return text;
}

/** A lone surrogate, which UTF-8 does not have, becomes U+FFFD. */
function percentEncoded(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
