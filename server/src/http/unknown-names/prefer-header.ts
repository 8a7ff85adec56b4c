/** A preference, `token [ = word ]` with parameters, or anything else between two commas. */
const preference =
  /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*([!#$%&'*+.^_`|~0-9A-Za-z-]*|"(?:[^"\\]|\\.)*"))?\s*(?:;|$)/;
/** The list's elements: commas within quoted strings do not separate. An unclosed quote runs to the end. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"|"[\s\S]*$)+/g;

/**
 * Returns the value of a preference in a `Prefer` header (RFC 7240, 4), lower case: `strict` of `handling=strict`, as a token or
 * quoted string. The first of its name counts, and malformed elements are ignored; null: there is none. `header`: several headers
 * of that name, as joined by Node.
 */
export function preferenceOf(
  header: string | readonly string[] | undefined,
  wanted: 'handling' | 'return',
): string | null {
  if (header === undefined || header.length === 0) return null;
  const text = typeof header === 'string' ? header : header.join(',');
  for (const [part] of text.matchAll(element)) {
    const [, name, value = ''] = preference.exec(part) ?? [];
    if (name?.toLowerCase() === wanted) return unquoted(value).toLowerCase();
  }
  return null;
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
}
