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
 * Returns whether a string is a well-formed language tag: it conforms to the ABNF of RFC 5646, section 2.1 [platform-40] [D48].
 * Validity, such as registered subtags and repeated variants, is not checked.
 */
export function isWellFormedLanguageTag(text: string): boolean {
  return form.test(text) || irregular.test(text);
}

/** Two tags identify the same language if and only if their keys are equal: case does not matter (RFC 5646, 2.1.1). */
export function languageKey(tag: string): string {
  return tag.toLowerCase();
}
