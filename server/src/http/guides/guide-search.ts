import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import MiniSearch, { type AsPlainObject, type Options, type SearchOptions } from 'minisearch';
import { invalidField } from '../../errors/api-error.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import { type BuiltPages, builtRoutes } from '../built-pages.ts';
import { escapeHtml } from '../html.ts';
import type { Listener } from '../metrics.ts';
import { guidePolicy, withFixedType, withPageHeaders } from '../page-headers.ts';
import type { BeforeRefusal } from '../protocol-faults.ts';
import { ownerOf } from '../request-owner.ts';

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

/** Longer queries are cut: further words would only cost time. */
const maxWords = 12;

/** The ways to search, until one finds something: all words, some words, and words with a mistake in every fifth letter. */
const ways: readonly SearchOptions[] = [
  { combineWith: 'AND' },
  { combineWith: 'OR' },
  { combineWith: 'OR', fuzzy: 0.2 },
];

const options: Options = {
  fields: ['title', 'section', 'text'],
  tokenize: searchWords,
  // `searchWords` has done it.
  processTerm: (word) => word,
  searchOptions: {
    tokenize: (query) => [...new Set(searchWords(query))].slice(0, maxWords),
    boost: { title: 8, section: 5 },
    prefix: true,
  },
};

/** An index as its file has it. */
interface SavedIndex {
  readonly entries: readonly SearchEntry[];
  readonly index: AsPlainObject;
}

/** Finds entries by words and the beginnings of words. It is in memory and never changes. */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  readonly #index: MiniSearch;

  private constructor(entries: readonly SearchEntry[], index: MiniSearch) {
    this.#entries = entries;
    this.#index = index;
  }

  static build(entries: readonly SearchEntry[]): SearchIndex {
    const index = new MiniSearch(options);
    index.addAll(entries.map((entry, id) => ({ ...entry, id })));
    return new SearchIndex(entries, index);
  }

  /** Loads what `toJSON` returned, in several turns of the event loop. */
  static async load({ entries, index }: SavedIndex): Promise<SearchIndex> {
    return new SearchIndex(entries, await MiniSearch.loadJSAsync(index, options));
  }

  toJSON(): SavedIndex {
    return { entries: this.#entries, index: this.#index.toJSON() };
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

interface ExcerptPart {
  readonly text: string;
  /** True if the part begins with a word of the query. */
  readonly isMatch: boolean;
}

/** Words before and after the first match. */
const before = 8;
const after = 24;

function excerptOf({ text }: SearchEntry, query: string): ExcerptPart[] {
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

interface SearchRouteOptions {
  readonly listener: Listener;
  readonly prefix: string;
  /** Counts the search against the client address. */
  readonly admit: BeforeRefusal;
}

const maxQueryLength = 200;
const maxResults = 20;

/** Serves the search at `/docs/search?q=` and, as JSON, by `Accept` or at `/docs/search.json`. The first loads the index. */
export function addSearch(app: FastifyInstance, { listener, prefix, admit }: SearchRouteOptions): void {
  const indexes = new WeakMap<BuiltPages, Promise<SearchIndex>>();
  const indexOf = (pages: BuiltPages) => {
    const index = indexes.get(pages) ?? loadIndex(pages, listener);
    indexes.set(pages, index);
    index.catch(() => indexes.delete(pages));
    return index;
  };
  const search = async (
    pages: BuiltPages,
    { request, reply, isJson }: { request: FastifyRequest; reply: FastifyReply; isJson: boolean },
  ) => {
    await admit(request, reply);
    const query = queryOf(request);
    const entries = await indexOf(pages);
    // A search with mistakes in each word takes some milliseconds.
    await takeTurn(ownerOf(request));
    const results = entries.find(query, maxResults);
    reply.header('vary', 'accept');
    if (isJson) {
      const docs = `${request.origin.pathPrefix}${prefix}/docs/`;
      return withFixedType(reply)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ query, results: results.map((entry) => resultOf(entry, query, docs)) }));
    }
    const template = await pages.get(`${listener}/docs/search.html`).text();
    return withPageHeaders(reply, guidePolicy)
      .type('text/html; charset=utf-8')
      .send(searchPage(query, results, template));
  };
  const get = builtRoutes(app, prefix);
  get('/docs/search', (pages, request, reply) =>
    search(pages, { request, reply, isJson: wantsJson(request) }),
  );
  get('/docs/search.json', (pages, request, reply) => search(pages, { request, reply, isJson: true }));
}

async function loadIndex(pages: BuiltPages, listener: Listener): Promise<SearchIndex> {
  return SearchIndex.load(JSON.parse(await pages.get(`${listener}/docs/search.json`).text()));
}

/** @throws ApiError `validation_failed` if `q` is given twice or is too long */
function queryOf({ query }: FastifyRequest): string {
  const { q = '' } = query as { q?: unknown };
  if (typeof q !== 'string') throw invalidField('q', 'must be given once');
  if (q.length > maxQueryLength) throw invalidField('q', `must have at most ${maxQueryLength} characters`);
  return q.trim();
}

function wantsJson({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('application/json') && !accept.includes('text/html');
}

function resultOf(entry: SearchEntry, query: string, docs: string): Record<string, unknown> {
  const { kind, title, section, url } = entry;
  const excerpt = excerptOf(entry, query).map(({ text }) => text);
  return { kind, title, section, url: docs + url.replace(/^\.\//, ''), excerpt: excerpt.join('').trim() };
}

const kinds: Readonly<Record<SearchEntry['kind'], string>> = {
  guide: 'Guide',
  error: 'Error',
  operation: 'Operation',
};

/** Puts the results into the places of the built page, which needs no script. `query` is the client's text. */
function searchPage(query: string, results: readonly SearchEntry[], template: string): string {
  const title = escapeHtml(query === '' ? 'Search' : `Search: ${query}`);
  const places: Readonly<Record<string, string>> = {
    title,
    query: escapeHtml(query),
    main: `<h1>${title}</h1>\n${content(query, results)}`,
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => places[name] ?? place);
}

function content(query: string, results: readonly SearchEntry[]): string {
  if (query === '') return '<p>Search the guides, the error codes and the operations.</p>\n';
  if (results.length === 0) return nothingFound;
  const items = results.map((entry) => {
    const { kind, title, section, url } = entry;
    const name = section === '' ? title : `${title}: ${section}`;
    const excerpt = excerptOf(entry, query)
      .map(({ text, isMatch }) => (isMatch ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text)))
      .join('');
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a> <span class="kind">${kinds[kind]}</span><br>${excerpt}</li>`;
  });
  const count = results.length === 1 ? '1 result' : `${results.length} results`;
  return `<p role="status">${count}, the best first.</p>\n<ol class="results">\n${items.join('\n')}\n</ol>\n`;
}

const nothingFound = `<p role="status">Nothing found.</p>
<ul>
  <li>Use fewer words, or the beginning of a word.</li>
  <li>Search for a code, such as <a href="?q=duplicate_sku">duplicate_sku</a>, or a status, such as <a href="?q=429">429</a>.</li>
  <li>See the list of <a href="guides/">all guides</a>, of <a href="guides/errors">all error codes</a>, or the <a href="./">API reference</a>.</li>
</ul>
`;
