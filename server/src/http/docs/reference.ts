import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addMethodNotAllowed, type BeforeRefusal } from '../refusals.ts';
import { documentText, type OpenApiDocument } from './openapi-document.ts';
import { contentSecurityPolicy, referencePage, startScript } from './reference-page.ts';
import { loadReferenceScript, type ReferenceScript } from './reference-script.ts';

export interface ReferenceOptions {
  readonly document: OpenApiDocument;
  /** Stands before `/openapi.json` and `/docs`. */
  readonly prefix: string;
  readonly title: string;
  readonly beforeRefusal: BeforeRefusal;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/**
 * Serves the document and, at `/docs`, the reference that is drawn from it: complete without any other host. None of it
 * needs a key. The document and the page are made anew by every version and never cached; the script may be, since its
 * address changes with its bytes.
 */
export function addReference(
  app: FastifyInstance,
  { document, prefix, title, beforeRefusal }: ReferenceOptions,
): void {
  const json = documentText(document);
  let loading: Promise<ReferenceScript> | undefined;
  const script = () => {
    loading ??= loadReferenceScript();
    return loading;
  };
  const get = (path: string, handler: Handler) => {
    const url = prefix + path;
    app.get(url, { exposeHeadRoute: true, logLevel: 'warn' }, handler);
    addMethodNotAllowed(app, url, ['GET', 'HEAD'], beforeRefusal);
  };

  get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(json));
  // Relative, so that it holds behind a proxy that puts its own prefix before ours.
  get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  get('/docs/', async (_request, reply) =>
    reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(referencePage(title, (await script()).version)),
  );
  get('/docs/start.js', (_request, reply) => sendScript(reply, startScript));
  get('/docs/scalar.js', async (request, reply) => sendReferenceScript(request, reply, await script()));
}

function sendReferenceScript(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, gzipped, version }: ReferenceScript,
): FastifyReply {
  reply.header('vary', 'accept-encoding');
  // Only under the address that names these very bytes: another one may stand for others tomorrow.
  if ((request.query as { v?: unknown }).v === version)
    reply.header('cache-control', 'public, max-age=31536000, immutable');
  const { 'accept-encoding': accepted = '' } = request.headers;
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted))) return sendScript(reply, plain);
  return sendScript(reply.header('content-encoding', 'gzip'), gzipped);
}

function sendScript(reply: FastifyReply, script: string | Buffer): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .type('text/javascript; charset=utf-8')
    .send(script);
}
