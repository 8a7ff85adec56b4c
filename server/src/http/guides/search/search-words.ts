/** Splits a string into words: lower case, without accents and a plural's `s`. `rate_limited` is a word, and so are its parts. */
export function searchWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word.split('_').filter((part) => part !== '');
    return (parts.length > 1 ? [word, ...parts] : parts).map(withoutPlural);
  });
}

function withoutPlural(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
