/** Unicode White_Space with U+0085, which `trim` omits, and U+FEFF, which nobody sees [D49]. */
const whiteSpace: ReadonlySet<number> = new Set([
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
]);

/** Returns whether a string has no white space at either end. Looks at two code units only: it runs once per line of a feed. */
export function isTrimmed(text: string): boolean {
  return !whiteSpace.has(text.charCodeAt(0)) && !whiteSpace.has(text.charCodeAt(text.length - 1));
}
