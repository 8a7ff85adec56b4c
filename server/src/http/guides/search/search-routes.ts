import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidField } from '../../../errors/api-error.ts';
import type { BeforeRefusal } from '../../protocol-guard.ts';
import { publicRoutes } from '../../public-routes.ts';
import { guidePolicy } from '../guide-page.ts';
import type { GuideShelf } from '../guide-shelf.ts';
import { excerptOf } from './excerpt.ts';
import { guideEntries } from './guide-entries.ts';
import { type SearchEntry, SearchIndex } from './search-index.ts';
import { searchPage } from './search-page.ts';

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

/**
 * Serves the search over guides, error codes and operations: a page at `/docs/search?q=`, JSON with
 * `Accept: application/json` or at `/docs/search.json`. The index is built by the first search.
 */
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
