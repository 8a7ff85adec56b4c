import MiniSearch, { type SearchOptions } from 'minisearch';
import { searchWords } from './search-words.ts';

/** Longer queries are cut: further words would only cost time. */
const maxWords = 12;

/** The ways to search, until one finds something: all words, some words, and words with a mistake in every fifth letter. */
const ways: readonly SearchOptions[] = [
  { combineWith: 'AND' },
  { combineWith: 'OR' },
  { combineWith: 'OR', fuzzy: 0.2 },
];

/** Finds entries by words and the beginnings of words. It is in memory and never changes. */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  readonly #index: MiniSearch;

  private constructor(entries: readonly SearchEntry[]) {
    this.#entries = entries;
    this.#index = new MiniSearch({
      fields: ['title', 'section', 'text'],
      tokenize: searchWords,
      // `searchWords` has done it.
      processTerm: (word) => word,
      searchOptions: {
        tokenize: (query) => [...new Set(searchWords(query))].slice(0, maxWords),
        boost: { title: 8, section: 5 },
        prefix: true,
      },
    });
  }

  /** Builds the index in several turns of the event loop. */
  static async build(entries: readonly SearchEntry[]): Promise<SearchIndex> {
    const index = new SearchIndex(entries);
    await index.#index.addAllAsync(
      entries.map((entry, id) => ({ ...entry, id })),
      { chunkSize: 16 },
    );
    return index;
  }

  /** Returns the entries with all words of the query, the best first, or else with some, or else with similar words. */
  find(query: string, limit: number): SearchEntry[] {
    for (const way of ways) {
      const found = this.#index.search(query, way);
      if (found.length > 0) return found.slice(0, limit).map(({ id }) => this.#entries[id] as SearchEntry);
    }
    return [];
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
