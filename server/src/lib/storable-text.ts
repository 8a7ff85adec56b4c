/**
 * Whether PostgreSQL can keep the text as it is: it has no U+0000 and no lone surrogate [platform-32].
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
