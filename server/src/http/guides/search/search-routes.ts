import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidField } from '../../../errors/api-error.ts';
import { escapeHtml } from '../../docs/html.ts';
import type { BeforeRefusal } from '../../protocol-guard.ts';
import { publicRoutes } from '../../public-routes.ts';
import { framedPage, guidePolicy, type PageFrame } from '../guide-page.ts';
import type { GuideShelf } from '../guide-shelf.ts';
import { excerptOf } from './excerpt.ts';
import { guideEntries } from './guide-entries.ts';
import { type SearchEntry, SearchIndex } from './search-index.ts';

export interface SearchOptions {
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
export function addSearch(app: FastifyInstance, options: SearchOptions): void {
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
    const results = (await index()).find(query, maxResults);
    reply.header('vary', 'accept').header('x-content-type-options', 'nosniff');
    if (isJson) {
      const docs = `${request.origin.pathPrefix}${prefix}/docs/`;
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ query, results: results.map((entry) => resultOf(entry, query, docs)) }));
    }
    const { frame } = await shelf.content();
    return reply
      .header('content-security-policy', guidePolicy)
      .header('referrer-policy', 'no-referrer')
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
