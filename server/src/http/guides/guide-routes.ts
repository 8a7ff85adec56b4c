import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../errors/api-error.ts';
import type { DocumentedOperations } from '../docs/openapi-document.ts';
import type { Listener } from '../metrics.ts';
import type { BeforeRefusal } from '../protocol-faults.ts';
import { rootUrl } from '../proxies.ts';
import { publicRoutes } from '../public-routes.ts';
import { type GuideLibrary, markdownWithLinks } from './guide-library.ts';
import { ServedPage } from './guide-page.ts';
import { addSearch, operationEntries } from './guide-search.ts';
import { GuideShelf } from './guide-shelf.ts';

export interface GuideOptions {
  readonly listener: Listener;
  /** Prepended to `/docs/guides`. */
  readonly prefix: string;
  /** Counts a search, or a request for a page that does not exist, against the client address. */
  readonly admit: BeforeRefusal;
  readonly operations: readonly DocumentedOperations[];
}

/**
 * Serves the guides at `/docs/guides/`, each as a page and, with `.md` or `Accept: text/markdown`, as Markdown; `llms.txt` and
 * the search. No key is needed. Searches, and requests for a page that does not exist, count against the client address.
 */
export function addGuides(app: FastifyInstance, options: GuideOptions): void {
  const { listener, prefix, admit, operations } = options;
  const shelf = new GuideShelf(listener);
  const get = publicRoutes(app, prefix);
  // Operators read the guides at another address than that of the client API.
  const rootOf = ({ origin }: FastifyRequest) => (listener === 'client' ? rootUrl(origin) : undefined);
  const sendGuide = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const isSource = path.endsWith('.md');
    const slug = isSource ? path.slice(0, -'.md'.length) : path;
    const form = isSource || wantsMarkdown(request) ? 'markdown' : 'html';
    const page = await shelf.find(slug === 'index' ? '' : slug, form);
    if (page === null) {
      await admit(request, reply);
      throw notFound();
    }
    return page.send(request, reply.header('vary', 'accept'), rootOf(request));
  };
  // Relative, so that it works behind a proxy that adds a prefix.
  get('/docs/guides', (_request, reply) => reply.redirect('guides/', 301));
  get('/docs/guides/', (request, reply) => sendGuide(request, reply, ''));
  // The style sheet and the script are in the same folder as the pages.
  get('/docs/guides/:page', async (request, reply) => {
    const { page } = request.params as { page: string };
    const { assets } = await shelf.content();
    const asset = assets.find(page);
    if (asset === undefined) return sendGuide(request, reply, page);
    // Cached only under the address that identifies these bytes.
    if ((request.query as { v?: unknown }).v === assets.version)
      reply.header('cache-control', 'public, max-age=31536000, immutable');
    return asset.send(request, reply);
  });
  get('/docs/guides/:folder/:page', (request, reply) => {
    const { folder, page } = request.params as { folder: string; page: string };
    return sendGuide(request, reply, `${folder}/${page}`);
  });
  const getText = (path: string, write: (library: GuideLibrary) => string) => {
    let page: ServedPage | undefined;
    get(path, async (request, reply) => {
      page ??= new ServedPage(write(await shelf.content()), 'text/plain');
      return page.send(request, reply, rootOf(request));
    });
  };
  getText('/llms.txt', llmsText);
  getText('/llms-full.txt', llmsFullText);
  addSearch(app, {
    prefix,
    shelf,
    operations: operations.flatMap((group) => operationEntries(group.prefix, group.operations)),
    admit,
  });
}

/** Returns whether the client asks for Markdown and not for a page, as tools for language models do. */
function wantsMarkdown({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/markdown') && !accept.includes('text/html');
}

const summary =
  'REST and JSON API for the back-office systems of a brand: catalog, stock and learning analytics. Every key belongs to one brand.';

/** Returns `llms.txt` (llmstxt.org): the list of all pages as Markdown. Links are relative to the root of the listener. */
function llmsText({ guides, sections }: GuideLibrary): string {
  const lists = sections.map(({ title, entries }) => {
    const items = entries.map(({ slug }) => `- [${guides.get(slug)?.title}](docs/guides/${slug}.md)`);
    return `## ${title}\n\n${items.join('\n')}`;
  });
  const codes = [...guides.keys()].filter((slug) => slug.startsWith('errors/'));
  const errors = codes.map((slug) => `- [${guides.get(slug)?.title}](docs/guides/${slug}.md)`);
  return `# Brandport

> ${summary}

All pages in one file: [llms-full.txt](llms-full.txt). Every operation, with schemas and examples: [openapi.json](openapi.json).

${lists.join('\n\n')}

## Error codes

${errors.join('\n')}
`;
}

/** Returns all pages in one text, each below a line with its address. */
function llmsFullText({ guides }: GuideLibrary): string {
  return [...guides.values()]
    .map(
      ({ slug, markdown }) =>
        `<!-- docs/guides/${slug || 'index'}.md -->\n\n${markdownWithLinks(markdown, slug).trim()}\n`,
    )
    .join('\n');
}
