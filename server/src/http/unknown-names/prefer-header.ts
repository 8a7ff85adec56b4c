/** A preference, `token [ = word ]` with parameters, or anything else between two commas. */
const preference =
  /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*([!#$%&'*+.^_`|~0-9A-Za-z-]*|"(?:[^"\\]|\\.)*"))?\s*(?:;|$)/;
/** The list's elements: commas within quoted strings do not separate. An unclosed quote runs to the end. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"|"[\s\S]*$)+/g;

/**
 * Returns whether a `Prefer` header requests strict handling: `handling=strict` (RFC 7240, 4.4), as a token or quoted string, in
 * any case. The first `handling` counts, and malformed elements are ignored. `header`: several headers of that name, as joined by
 * Node.
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
