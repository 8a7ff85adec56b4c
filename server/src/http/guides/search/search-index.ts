import { searchWords } from './search-words.ts';

/** A word in a title counts as many times as often in the text. */
const weights = { title: 8, section: 5, text: 1 } as const;

/** Longer queries are cut: further words would only cost time. */
const maxWords = 12;

/** Finds entries by words and the beginnings of words. It is in memory and never changes. */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  /** The weight of each word in each entry, by word and number of the entry. */
  readonly #postings = new Map<string, Map<number, number>>();

  private constructor(entries: readonly SearchEntry[]) {
    this.#entries = entries;
  }

  /** Builds the index in several turns of the event loop. */
  static async build(entries: readonly SearchEntry[]): Promise<SearchIndex> {
    const index = new SearchIndex(entries);
    for (const [number, entry] of entries.entries()) {
      index.#add(number, entry);
      if (number % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
    }
    return index;
  }

  /** Returns the entries with all words of the query, the best first, or else with some. Words may lack their ends. */
  find(query: string, limit: number): SearchEntry[] {
    const words = [...new Set(searchWords(query))].slice(0, maxWords);
    const matches = words.map((word) => this.#scoresOf(word));
    const scores = new Map<number, { words: number; score: number }>();
    for (const match of matches)
      for (const [entry, score] of match) {
        const sum = scores.get(entry) ?? { words: 0, score: 0 };
        scores.set(entry, { words: sum.words + 1, score: sum.score + score });
      }
    const most = Math.max(0, ...[...scores.values()].map((sum) => sum.words));
    return [...scores]
      .filter(([, sum]) => sum.words === most)
      .sort(([first, a], [second, b]) => b.score - a.score || first - second)
      .slice(0, limit)
      .map(([entry]) => this.#entries[entry] as SearchEntry);
  }

  #add(number: number, entry: SearchEntry): void {
    for (const part of ['title', 'section', 'text'] as const)
      for (const word of searchWords(entry[part])) {
        const posting = this.#postings.get(word) ?? new Map<number, number>();
        posting.set(number, (posting.get(number) ?? 0) + weights[part]);
        this.#postings.set(word, posting);
      }
  }

  /**
   * Scores the entries that have a word or, for less, a longer one that begins with it. Rare words count more. Compares all words
   * of the index, some thousands, in a tenth of a millisecond.
   */
  #scoresOf(word: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const [found, posting] of this.#postings) {
      if (!found.startsWith(word)) continue;
      const rarity = Math.log(1 + this.#entries.length / posting.size);
      const closeness = found === word ? 1 : 0.4;
      for (const [entry, weight] of posting) {
        const score = rarity * closeness * (1 + Math.log(weight));
        scores.set(entry, Math.max(scores.get(entry) ?? 0, score));
      }
    }
    return scores;
  }
}

export interface SearchEntry {
  readonly kind: 'guide' | 'error' | 'operation';
  /** The title of the page, or method and path of the operation. */
  readonly title: string;
  /** The heading of the section; an empty string for the beginning of a page. */
  readonly section: string;
  /** Relative to the folder `docs/`. */
  readonly url: string;
  readonly text: string;
}
