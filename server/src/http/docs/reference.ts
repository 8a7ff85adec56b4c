import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { builtRoutes, keptForGood } from '../built-pages.ts';
import { KeptBody } from '../compression.ts';
import type { Listener } from '../metrics.ts';
import { withPageHeaders } from '../page-headers.ts';
import { publicRoutes } from '../public-routes.ts';

const serverDir = new URL('../../../', import.meta.url);

/** Reads the generated document, which `npm run check` compares with the operations. Building it takes half a second. */
export function readPublishedDocument(name: 'openapi.json' | 'openapi-internal.json'): string {
  return readFileSync(new URL(name, serverDir), 'utf8');
}

/**
 * Restricts the page to files and requests of this origin [D288]. Only this page allows styles inside of it: the library sets
 * the positions of its menus and the colours of its samples that way. No script inside of the page is allowed.
 */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface ReferenceOptions {
  readonly text: string;
  readonly listener: Listener;
  readonly prefix: string;
}

/**
 * Serves the document and, at `/docs`, the reference that a library draws from it in the browser [D288], without a key. Document
 * and page are never cached, since every release changes them; the files are, since their URLs change with their bytes.
 */
export function addReference(app: FastifyInstance, { text, listener, prefix }: ReferenceOptions): void {
  const json = new KeptBody(text);
  const get = publicRoutes(app, prefix);
  get('/openapi.json', (request, reply) => {
    reply.type('application/json; charset=utf-8');
    const { base, pathPrefix } = request.origin;
    // An empty string where no proxy says anything [platform-83].
    const server = `${base ?? ''}${pathPrefix}`;
    if (server === '') return json.send(request, reply);
    return reply.send(text.replace('"url": "/"', () => `"url": ${JSON.stringify(server)}`));
  });
  // Relative, so that it works behind a proxy that adds a prefix.
  get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  const page = builtRoutes(app, prefix);
  page('/docs/', (pages, request, reply) =>
    pages.get(`${listener}/docs/index.html`).send(request, withPageHeaders(reply, referencePolicy)),
  );
  for (const name of ['scalar.js', 'init.js', 'look.css'])
    page(`/docs/${name}`, (pages, request, reply) => pages.get(`files/${name}`).send(request, reply));
  // The font of the console. The style sheets of reference and guides name it with the version of its package.
  const font = 'inter-5.3.0.woff2';
  page(`/docs/${font}`, (pages, request, reply) =>
    pages.get(`files/${font}`).send(request, reply.header('cache-control', keptForGood)),
  );
}
