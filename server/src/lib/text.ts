/** Returns whether PostgreSQL can store the string unchanged: it has no U+0000 and no lone surrogate [platform-32]. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** Unicode White_Space with U+0085, which `trim` omits, and U+FEFF, which nobody sees [D47]. */
const whiteSpace: ReadonlySet<number> = new Set([
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
]);

/** Returns whether a string has no white space at either end. Looks at two code units only: it runs once per line of a feed. */
export function isTrimmed(text: string): boolean {
  return !whiteSpace.has(text.charCodeAt(0)) && !whiteSpace.has(text.charCodeAt(text.length - 1));
}

const alphanumeric = '[A-Za-z0-9]';
const language = '(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})';
const script = '(?:-[A-Za-z]{4})?';
const region = '(?:-(?:[A-Za-z]{2}|[0-9]{3}))?';
const variants = `(?:-(?:${alphanumeric}{5,8}|[0-9]${alphanumeric}{3}))*`;
const extensions = `(?:-[0-9A-WY-Za-wy-z](?:-${alphanumeric}{2,8})+)*`;
const privateUse = `[Xx](?:-${alphanumeric}{1,8})+`;

const form = new RegExp(
  `^(?:${language}${script}${region}${variants}${extensions}(?:-${privateUse})?|${privateUse})$`,
);

/** The grandfathered tags that the grammar lists because its other rules do not match them. */
const irregular =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de))$/i;

/**
 * Returns whether a string is a well-formed language tag: it conforms to the ABNF of RFC 5646, section 2.1 [platform-40] [D47].
 * Validity, such as registered subtags and repeated variants, is not checked.
 */
export function isWellFormedLanguageTag(text: string): boolean {
  return form.test(text) || irregular.test(text);
}

/** Two tags identify the same language if and only if their keys are equal: case does not matter (RFC 5646, 2.1.1). */
export function languageKey(tag: string): string {
  return tag.toLowerCase();
}
