/** A preference: `token [ = word ]`, then parameters; or what stands between two commas and is none. */
const preference =
  /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*([!#$%&'*+.^_`|~0-9A-Za-z-]*|"(?:[^"\\]|\\.)*"))?\s*(?:;|$)/;
/** The list's elements: commas within quoted strings do not separate. An unclosed quote runs to the end. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"|"[\s\S]*$)+/g;

/**
 * Whether a `Prefer` header asks for strict handling: `handling=strict` (RFC 7240, 4.4), the token or a quoted string,
 * in any case, among other preferences. Of several `handling` the first counts (RFC 7240, 2). What is malformed is no
 * preference. `header`: as Node joins several headers of that name.
 */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  if (header === undefined || header.length === 0) return false;
  const text = typeof header === 'string' ? header : header.join(',');
  for (const [part] of text.matchAll(element)) {
    const [, name, value = ''] = preference.exec(part) ?? [];
    if (name?.toLowerCase() === 'handling') return unquoted(value).toLowerCase() === 'strict';
  }
  return false;
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
}
