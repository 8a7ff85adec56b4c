import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { BeforeRefusal } from './before-refusal.ts';
import { closeAfterEarlyAnswer } from './bodies/early-answer.ts';
import { sendError, toApiError } from './error-handler.ts';
import { refuseProtocolFault } from './protocol-guard.ts';
import type { RecordRequest } from './request-record.ts';

// CONNECT never reaches a router.
const knownMethods = METHODS.filter((method) => method !== 'CONNECT');

/** Lets the router know every method that Node parses, so that an odd one is answered by our 404 and 405. */
export function addAllMethods(app: FastifyInstance): void {
  for (const method of knownMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/** Answers 405 with `Allow` for every method that the path does not have [platform-12]. */
export function addMethodNotAllowed(
  app: FastifyInstance,
  url: string,
  allowed: readonly string[],
  before: BeforeRefusal,
): void {
  const methods = knownMethods.filter((method) => !allowed.includes(method));
  const error = () => new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
  addRefusal(app, { method: methods, url }, before, error);
}

/** Answers 404 for every path that nothing else answers. */
export function addNotFound(app: FastifyInstance, before: BeforeRefusal): void {
  addRefusal(app, { method: knownMethods, url: '*' }, before, notFound);
}

/** `/products/` is no product without an id but a path that does not exist; the router takes it for the former. */
export function addEmptyParameters(app: FastifyInstance, before: BeforeRefusal): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!Object.values(request.params as Record<string, string>).includes('')) return;
    await before(request, reply);
    throw notFound();
  });
}

// A route that refuses in onRequest, so that no body is read for an answer that does not depend on it. (Fastify's own
// handler for unknown paths would come after the body.)
function addRefusal(
  app: FastifyInstance,
  { method, url }: { method: string[]; url: string },
  before: BeforeRefusal,
  error: () => ApiError,
): void {
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      await before(request, reply);
      throw error();
    },
    handler: () => {},
  });
}

/**
 * Answers what Fastify meets before there is a route: a path that is no valid percent-encoding, or a parameter that is
 * longer than any id. Both name nothing that exists.
 */
export function refuseUnroutable(before: BeforeRefusal, record: RecordRequest, lingerMs: number) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    record(request, reply);
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    const refuse = (reason: FastifyError) =>
      closeAfterEarlyAnswer(request.raw, reply.raw, lingerMs, () => sendError(reply, toApiError(reason)));
    refuseProtocolFault(request, reply, before)
      .then(() => before(request, reply))
      .then(() => refuse(error), refuse);
  };
}
