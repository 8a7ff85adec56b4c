import type { FastifyInstance } from 'fastify';
import { notFound } from '../../errors/api-error.ts';
import { publicRoutes } from '../public-routes.ts';
import { KeptBody } from './kept-body.ts';
import { loadReferenceFiles, referenceFileNames } from './reference/reference-files.ts';
import { referencePage, referencePolicy } from './reference/reference-page.ts';

export interface ReferenceOptions {
  readonly text: string;
  readonly prefix: string;
}

/**
 * Serves the document and, at `/docs`, the reference that a library draws from it in the browser [D288], without a key. Document
 * and page are never cached, since every release changes them; the files are, since their URLs change with their bytes.
 */
export function addReference(app: FastifyInstance, { text, prefix }: ReferenceOptions): void {
  const json = new KeptBody(text);
  const get = publicRoutes(app, prefix);
  get('/openapi.json', (request, reply) => {
    reply.type('application/json; charset=utf-8');
    const { base, pathPrefix } = request.origin;
    // An empty string where no proxy says anything [platform-83].
    const server = `${base ?? ''}${pathPrefix}`;
    return server === '' ? json.send(request, reply) : reply.send(withServer(text, server));
  });
  // Relative, so that it works behind a proxy that adds a prefix.
  get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  const root = `..${prefix.replaceAll(/\/[^/]+/g, '/..')}/`;
  get('/docs/', async (_request, reply) => {
    const version = (await loadReferenceFiles())?.version ?? null;
    return reply
      .code(version === null ? 503 : 200)
      .header('content-security-policy', referencePolicy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(referencePage(root, version));
  });
  for (const name of referenceFileNames)
    get(`/docs/${name}`, async (request, reply) => {
      const files = await loadReferenceFiles();
      const file = files?.byName.get(name);
      if (file === undefined) throw notFound();
      // Cached only under the URL that identifies these bytes.
      if ((request.query as { v?: unknown }).v === files?.version)
        reply.header('cache-control', 'public, max-age=31536000, immutable');
      return file.body.send(request, reply.header('x-content-type-options', 'nosniff').type(file.type));
    });
}

const ownServer = '"url": "/"';

function withServer(text: string, server: string): string {
  return text.replace(ownServer, () => `"url": ${JSON.stringify(server)}`);
}
