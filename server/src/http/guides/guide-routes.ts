import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../errors/api-error.ts';
import { type BuiltPages, builtRoutes } from '../built-pages.ts';
import type { Listener } from '../metrics.ts';
import type { BeforeRefusal } from '../protocol-faults.ts';
import { rootUrl } from '../proxies.ts';
import { publicRoutes } from '../public-routes.ts';
import { addSearch } from './guide-search.ts';

export interface GuideOptions {
  readonly listener: Listener;
  /** Prepended to `/docs/guides`. */
  readonly prefix: string;
  /** Counts a search, or a request for a page that does not exist, against the client address. */
  readonly admit: BeforeRefusal;
}

/**
 * Serves the guides at `/docs/guides/`, each as a page and, with `.md` or `Accept: text/markdown`, as Markdown; `llms.txt` and
 * the search. No key is needed. Searches, and requests for a page that does not exist, count against the client address.
 */
export function addGuides(app: FastifyInstance, options: GuideOptions): void {
  const { listener, prefix, admit } = options;
  const get = builtRoutes(app, prefix);
  // Operators read the guides at another address than that of the client API.
  const rootOf = ({ origin }: FastifyRequest) => (listener === 'client' ? rootUrl(origin) : undefined);
  const sendGuide = async (
    pages: BuiltPages,
    path: string,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ) => {
    const isSource = path.endsWith('.md');
    const slug = isSource ? path.slice(0, -'.md'.length) : path;
    const form = isSource || wantsMarkdown(request) ? 'md' : 'html';
    const page = pages.find(`${listener}/docs/guides/${slug}.${form}`);
    if (page === undefined) {
      await admit(request, reply);
      throw notFound();
    }
    return page.sendTagged(request, reply.header('vary', 'accept'), rootOf(request));
  };
  // Relative, so that it works behind a proxy that adds a prefix.
  publicRoutes(app, prefix)('/docs/guides', (_request, reply) => reply.redirect('guides/', 301));
  get('/docs/guides/', (pages, request, reply) => sendGuide(pages, 'index', { request, reply }));
  // The style sheet and the script are in the same folder as the pages.
  get('/docs/guides/:page', (pages, request, reply) => {
    const { page } = request.params as { page: string };
    const asset = page.startsWith('guides.') ? pages.find(`files/${page}`) : undefined;
    return asset?.sendTagged(request, reply) ?? sendGuide(pages, page, { request, reply });
  });
  get('/docs/guides/:folder/:page', (pages, request, reply) => {
    const { folder, page } = request.params as { folder: string; page: string };
    return sendGuide(pages, `${folder}/${page}`, { request, reply });
  });
  for (const name of ['llms.txt', 'llms-full.txt'])
    get(`/${name}`, (pages, request, reply) =>
      pages.get(`${listener}/${name}`).sendTagged(request, reply, rootOf(request)),
    );
  addSearch(app, { listener, prefix, admit });
}

/** Returns whether the client asks for Markdown and not for a page, as tools for language models do. */
function wantsMarkdown({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/markdown') && !accept.includes('text/html');
}
