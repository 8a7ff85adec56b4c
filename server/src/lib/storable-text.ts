/** Returns whether PostgreSQL can store the string unchanged: it has no U+0000 and no lone surrogate [platform-32]. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
