import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { sha256 } from '../../lib/sha256.ts';
import { publicRoutes } from '../public-routes.ts';
import { KeptBody } from './kept-body.ts';
import { pageStyle } from './page-style.ts';
import { referencePage, referencePolicy } from './reference/reference-page.ts';

export interface ReferenceOptions {
  readonly text: string;
  readonly prefix: string;
}

/**
 * Serves the document and, at `/docs`, the reference that is rendered from it, without a key. Document and page are never cached,
 * since every release changes them; style and script are, since their URLs change with their bytes.
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
  // Rendered on the first request: starts that nobody asks for the reference do not pay for it.
  let page: Promise<KeptBody> | undefined;
  get('/docs/', async (request, reply) => {
    page ??= referencePage({ document: JSON.parse(text), root, version: referenceVersion }).then(
      (html) => new KeptBody(html),
    );
    reply
      .header('content-security-policy', referencePolicy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8');
    return (await page).send(request, reply);
  });
  for (const { name, type, body } of referenceFiles)
    get(`/docs/${name}`, (request, reply) => {
      // Cached only under the URL that identifies these bytes.
      if ((request.query as { v?: unknown }).v === referenceVersion)
        reply.header('cache-control', 'public, max-age=31536000, immutable');
      return body.send(request, reply.header('x-content-type-options', 'nosniff').type(type));
    });
}

const ownServer = '"url": "/"';

function withServer(text: string, server: string): string {
  return text.replace(ownServer, () => `"url": ${JSON.stringify(server)}`);
}

/** The style sheet and the script of the reference, read when this module is loaded. */
const read = (name: string) => readFileSync(new URL(`./reference/assets/${name}`, import.meta.url), 'utf8');

const style = pageStyle + read('reference.css');
const script = read('reference.js');

const referenceFiles = [
  { name: 'reference.css', type: 'text/css; charset=utf-8', body: new KeptBody(style) },
  { name: 'reference.js', type: 'text/javascript; charset=utf-8', body: new KeptBody(script) },
] as const;

/** Changes when the bytes of one of the files change. */
const referenceVersion = sha256(Buffer.from(style + script))
  .toString('hex')
  .slice(0, 16);
