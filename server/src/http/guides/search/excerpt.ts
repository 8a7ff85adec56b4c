import type { SearchEntry } from './search-index.ts';
import { searchWords } from './search-words.ts';

export interface ExcerptPart {
  readonly text: string;
  /** True if the part begins with a word of the query. */
  readonly isMatch: boolean;
}

/** Words before and after the first match. */
const before = 8;
const after = 24;

export function excerptOf({ text }: SearchEntry, query: string): ExcerptPart[] {
  const wanted = searchWords(query);
  const matches = (word: string) =>
    searchWords(word).some((found) => wanted.some((start) => found.startsWith(start)));
  const words = text.split(' ');
  const first = Math.max(0, words.findIndex(matches));
  const start = Math.max(0, first - before);
  const shown = words.slice(start, first + after);
  return [
    ...(start > 0 ? [{ text: '… ', isMatch: false }] : []),
    ...shown.flatMap((word) => [
      { text: word, isMatch: matches(word) },
      { text: ' ', isMatch: false },
    ]),
    ...(start + shown.length < words.length ? [{ text: '…', isMatch: false }] : []),
  ];
}
