import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../proxies/request-origin.ts';
import { KeptBody } from './kept-body.ts';
import { documentText, type OpenApiDocument } from './openapi-document.ts';
import { contentSecurityPolicy, referencePage, startScript } from './reference-page.ts';
import { loadReferenceScript, type ReferenceScript } from './reference-script.ts';

export interface ReferenceOptions {
  readonly document: OpenApiDocument;
  /** Prepended to `/openapi.json` and `/docs`. */
  readonly prefix: string;
  readonly title: string;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * Serves the document and, at `/docs`, the reference that is rendered from it, without any other host and
 * without a key. The document and the page are never cached, since every release changes them; the script is,
 * since its URL changes with its bytes.
 */
export function addReference(app: FastifyInstance, { document, prefix, title }: ReferenceOptions): void {
  const text = documentText(document);
  const json = new KeptBody(text);
  let loading: Promise<ReferenceScript> | undefined;
  const script = () => {
    loading ??= loadReferenceScript();
    return loading;
  };
  const get = (path: string, handler: Handler) => {
    const url = prefix + path;
    app.get(url, { exposeHeadRoute: true, logLevel: 'warn' }, handler);
  };

  get('/openapi.json', (request, reply) => {
    reply.type('application/json; charset=utf-8');
    const server = serverOf(request.origin);
    return server === '' ? json.send(request, reply) : reply.send(withServer(text, server));
  });
  // Relative, so that it works behind a proxy that adds a prefix.
  get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  get('/docs/', async (_request, reply) =>
    reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(referencePage(title, (await script()).version)),
  );
  const start = startScript(`..${prefix.replaceAll(/\/[^/]+/g, '/..')}`);
  get('/docs/start.js', (_request, reply) => asScript(reply).send(start));
  get('/docs/scalar.js', async (request, reply) => sendReferenceScript(request, reply, await script()));
}

/** The URL that clients put in front of the paths [platform-83]; an empty string where no proxy says anything. */
function serverOf({ base, pathPrefix }: RequestOrigin): string {
  return `${base ?? ''}${pathPrefix}`;
}

const ownServer = '"url": "/"';

function withServer(text: string, server: string): string {
  return text.replace(ownServer, () => `"url": ${JSON.stringify(server)}`);
}

function sendReferenceScript(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, version }: ReferenceScript,
): Promise<FastifyReply> {
  // Cached only under the URL that identifies these bytes.
  if ((request.query as { v?: unknown }).v === version)
    reply.header('cache-control', 'public, max-age=31536000, immutable');
  return body.send(request, asScript(reply));
}

function asScript(reply: FastifyReply): FastifyReply {
  return reply.header('x-content-type-options', 'nosniff').type('text/javascript; charset=utf-8');
}
