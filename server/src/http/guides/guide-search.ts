import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Marked, type Token, type Tokens } from 'marked';
import MiniSearch, { type SearchOptions } from 'minisearch';
import type { DescribedOperation } from '../../api/operation.ts';
import { invalidField } from '../../errors/api-error.ts';
import { errorCatalogue } from '../../errors/error-catalogue.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import { escapeHtml } from '../html.ts';
import { withFixedType, withPageHeaders } from '../page-headers.ts';
import type { BeforeRefusal } from '../protocol-faults.ts';
import { publicRoutes } from '../public-routes.ts';
import { ownerOf } from '../request-owner.ts';
import type { Guide } from './guide-library.ts';
import { framedPage, guidePolicy, type PageFrame, plainText, renderGuide } from './guide-page.ts';
import type { GuideShelf } from './guide-shelf.ts';

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

interface SearchEntry {
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

/** Returns an entry for the beginning of a guide and one for each section below a heading of the second level. */
function guideEntries(guide: Guide): SearchEntry[] {
  const { slug, title, markdown } = guide;
  const code = slug.startsWith('errors/') ? slug.slice('errors/'.length) : null;
  const kind = code === null ? 'guide' : 'error';
  const status = code === null ? '' : ` ${errorCatalogue[code as keyof typeof errorCatalogue].status}`;
  const ids = renderGuide(guide).headings.filter(({ level }) => level === 2);
  const sections: { section: string; id: string; text: string[] }[] = [{ section: '', id: '', text: [] }];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] === 2) {
      const heading = ids[sections.length - 1];
      sections.push({ section: heading?.text ?? '', id: `#${heading?.id}`, text: [] });
    } else if (token.type !== 'heading' || token['depth'] !== 1) sections.at(-1)?.text.push(blockText(token));
  }
  return sections.map(({ section, id, text }) => ({
    kind,
    title: `${title}${status}`,
    section,
    url: `guides/${slug}${id}`,
    text: text.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

export function operationEntries(prefix: string, operations: readonly DescribedOperation[]): SearchEntry[] {
  return operations.map(({ id, method, path, summary, description, tag }) => ({
    kind: 'operation',
    title: `${method} ${(prefix + path).replaceAll(/:(\w+)/g, '{$1}')}`,
    section: summary,
    url: `./#${id}`,
    text: `${tag}. ${description}`,
  }));
}

function blockText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => plainText(tokens))).join(' ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join(' ');
  return 'tokens' in token && token.tokens !== undefined
    ? plainText(token.tokens)
    : String('text' in token ? token.text : '');
}

interface SearchRouteOptions {
  readonly prefix: string;
  readonly shelf: GuideShelf;
  /** The operations of the listener's reference. */
  readonly operations: readonly SearchEntry[];
  /** Counts the search against the client address. */
  readonly admit: BeforeRefusal;
}

const maxQueryLength = 200;
const maxResults = 20;

/** Serves the search at `/docs/search?q=` and, as JSON, by `Accept` or at `/docs/search.json`. The first builds the index. */
export function addSearch(app: FastifyInstance, options: SearchRouteOptions): void {
  const { prefix, shelf, operations, admit } = options;
  let building: Promise<SearchIndex> | undefined;
  const index = () => {
    building ??= buildIndex(shelf, operations).catch((error: unknown) => {
      building = undefined;
      throw error;
    });
    return building;
  };
  const search = async (request: FastifyRequest, reply: FastifyReply, isJson: boolean) => {
    await admit(request, reply);
    const query = queryOf(request);
    const entries = await index();
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
    const { frame } = await shelf.content();
    return withPageHeaders(reply, guidePolicy)
      .type('text/html; charset=utf-8')
      .send(searchPage(query, results, frame));
  };
  const get = publicRoutes(app, prefix);
  get('/docs/search', (request, reply) => search(request, reply, wantsJson(request)));
  get('/docs/search.json', (request, reply) => search(request, reply, true));
}

async function buildIndex(shelf: GuideShelf, operations: readonly SearchEntry[]): Promise<SearchIndex> {
  const entries: SearchEntry[] = [];
  for (const guide of (await shelf.content()).guides.values()) {
    entries.push(...guideEntries(guide));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return SearchIndex.build([...entries, ...operations]);
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

/** Returns the page of results; it needs no script. `query` is the client's text. */
function searchPage(query: string, results: readonly SearchEntry[], frame: PageFrame): string {
  const title = query === '' ? 'Search' : `Search: ${query}`;
  const main = `<h1>${escapeHtml(title)}</h1>\n${content(query, results)}`;
  return framedPage({ ...frame, title, slug: 'search', query, toDocs: './' }, main);
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
