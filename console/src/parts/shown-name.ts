/** Control characters, and those that are invisible or change the direction of what follows. */
const hidden = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Returns a name in which such characters are visible, such as `[U+202E]`: a name cannot pass for another one. */
export function shownName(name: string): string {
  return name.replace(
    hidden,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
