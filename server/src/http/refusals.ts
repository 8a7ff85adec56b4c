import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '../errors/api-error.ts';
import { closeAfterEarlyAnswer } from './bodies/early-answer.ts';
import { sendError, toApiError } from './error-handler.ts';
import { type KnownPaths, noteRefusedPath } from './known-paths.ts';
import type { Listener } from './metrics.ts';
import { type BeforeRefusal, refuseProtocolFault } from './protocol-guard.ts';
import type { RecordRequest } from './request-record.ts';

// CONNECT never reaches a router.
const knownMethods = METHODS.filter((method) => method !== 'CONNECT');

/** Registers every method that Node parses with the router, so that unusual ones get our 404 and 405. */
export function addAllMethods(app: FastifyInstance): void {
  for (const method of knownMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/**
 * Responds to every request without a route: 405 with `Allow` if its path has other methods [platform-12], otherwise 404; in
 * onRequest, so that no body is read for a response that does not depend on it.
 */
export function addUnrouted(app: FastifyInstance, paths: KnownPaths, before: BeforeRefusal): void {
  app.route({
    method: knownMethods,
    url: '*',
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      const path = paths.find(request.raw.url as string);
      if (path !== undefined) noteRefusedPath(request, path);
      await before(request, reply);
      if (path === undefined) throw notFound();
      const allow = [...path.methods].sort().join(', ');
      throw new ApiError('method_not_allowed', { headers: { allow } });
    },
    handler: () => {},
  });
}

/** Responds 404 to paths such as `/products/`, which the router would treat as a product with an empty id. */
export function addEmptyParameters(app: FastifyInstance, before: BeforeRefusal): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!Object.values(request.params as Record<string, string>).includes('')) return;
    await before(request, reply);
    throw notFound();
  });
}

export interface UnroutableOptions {
  readonly listener: Listener;
  readonly beforeRefusal: BeforeRefusal;
  readonly record: RecordRequest;
  /** Milliseconds for which the connection stays open after the response. */
  readonly lingerMs: number;
}

/** Responds to requests that fail before routing: invalid percent-encoding, or a parameter longer than any id. */
export function refuseUnroutable({ listener, beforeRefusal: before, record, lingerMs }: UnroutableOptions) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    record(request, reply);
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    const refuse = (reason: FastifyError) =>
      closeAfterEarlyAnswer(request.raw, reply.raw, lingerMs, () =>
        sendError(reply, toApiError(reason), listener),
      );
    refuseProtocolFault(request, reply, before)
      .then(() => before(request, reply))
      .then(() => refuse(error), refuse);
  };
}
