import { METHODS } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, notFound, payloadTooLarge } from '../errors/api-error.ts';
import { type DatabaseTrouble, troubleOf } from '../postgres/database-errors.ts';
import { closeAfterEarlyAnswer } from './bodies/request-bodies.ts';
import { type KnownPaths, noteRefusedPath } from './known-paths.ts';
import type { Listener, Metrics } from './metrics.ts';
import { type BeforeRefusal, refuseProtocolFault } from './protocol-faults.ts';
import type { RecordRequest } from './request-record.ts';

/** Returns the body of an error, with the path of its code's page [platform-86] below the forwarded prefix [platform-83]. */
export function errorBody(error: ApiError, listener: Listener, pathPrefix = ''): Record<string, unknown> {
  const docs = listener === 'client' ? '/docs' : '/internal/docs';
  return { ...error.toBody(), doc_url: `${pathPrefix}${docs}/guides/errors/${error.code}` };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error that the response shows; null: none. */
    refusal: ApiError | null;
  }
}

/** Sends every failure in the error envelope. Other errors are converted to an ApiError; unexpected ones are logged. */
export function addErrorHandler(app: FastifyInstance, listener: Listener, metrics: Metrics): void {
  app.decorateRequest('refusal', null);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { bodyLimit, config } = request.routeOptions;
    const known = toApiError(error, config?.contentTypes, bodyLimit);
    if (known.status === 500) request.log.error({ err: error }, 'unexpected failure');
    else if (known.code === 'service_unavailable') {
      const trouble = troubleOf(error);
      if (trouble !== null) metrics.databaseRefused(trouble);
      const { message } = error;
      request.logged = { reason: trouble === null ? message : `${refusalLine(trouble)}: ${message}` };
    }
    return sendError(reply, known, listener);
  });
}

function sendError(reply: FastifyReply, error: ApiError, listener: Listener): FastifyReply {
  reply.request.refusal = error;
  const body = errorBody(error, listener, reply.request.origin.pathPrefix);
  return reply
    .code(error.status)
    .headers(error.details.headers ?? {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** `contentTypes`: those that the operation takes; default: JSON. `bodyLimit`: the most bytes that it takes. */
export function toApiError(
  error: FastifyError,
  contentTypes?: readonly string[],
  bodyLimit = 1024 * 1024,
): ApiError {
  if (error instanceof ApiError) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge(bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', contentTypes && { message: mustBe(contentTypes) });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('bad_request');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound();
    default: {
      // The framework sets a status on errors of the client, such as a disconnect in the middle of a body.
      if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError('bad_request');
      const trouble = troubleOf(error);
      return trouble === null ? new ApiError('server_error') : databaseRefusal(trouble);
    }
  }
}

/** Names every type that the operation takes [platform-24]. */
function mustBe(contentTypes: readonly string[]): string {
  return `The body must be ${contentTypes.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`;
}

interface Refusal {
  /** The message for the client. */
  readonly message?: string;
  readonly line: string;
  readonly retryAfterSeconds: number;
}

const refusals: Readonly<Record<DatabaseTrouble, Refusal>> = {
  unreachable: { line: 'database unreachable', retryAfterSeconds: 5 },
  disk_full: {
    message: 'The database’s disk is full. Writes are rejected until space is available.',
    line: 'database disk full',
    retryAfterSeconds: 30,
  },
  read_only: {
    message: 'The database is currently read-only. Writes are rejected.',
    line: 'database read-only',
    retryAfterSeconds: 30,
  },
  out_of_memory: {
    message: 'The database is currently out of memory.',
    line: 'database out of memory',
    retryAfterSeconds: 5,
  },
  no_turn: {
    message: 'Too many requests are waiting for the database.',
    line: 'timed out waiting for a connection or turn',
    retryAfterSeconds: 5,
  },
  overloaded: {
    message: 'The database is currently overloaded.',
    line: 'database overloaded',
    retryAfterSeconds: 5,
  },
};

/** Returns the 503 for a database trouble; it names a full disk [platform-21]. */
function databaseRefusal(trouble: DatabaseTrouble): ApiError {
  const { message, retryAfterSeconds } = refusals[trouble];
  return new ApiError('service_unavailable', {
    ...(message !== undefined && { message }),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

function refusalLine(trouble: DatabaseTrouble): string {
  return refusals[trouble].line;
}

// CONNECT never reaches a router.
const knownMethods = METHODS.filter((method) => method !== 'CONNECT');

/** Registers every method that Node parses with the router, so that unusual ones get our 404 and 405. */
export function addAllMethods(app: FastifyInstance): void {
  for (const method of knownMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/** For a client that has the address of the wrong listener. */
const internalAddress =
  'This is the internal listener, for administrators. The client API is at another address: ask the operator for it.';

/**
 * Responds to every request without a route: 405 with `Allow` if its path has other methods [platform-12], otherwise 404; in
 * onRequest, so that no body is read for a response that does not depend on it.
 */
export function addUnrouted(
  app: FastifyInstance,
  paths: KnownPaths,
  { listener, before }: { readonly listener: Listener; readonly before: BeforeRefusal },
): void {
  const home = listener === 'internal' ? 'console/' : 'docs/';
  app.route({
    method: knownMethods,
    url: '*',
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      // Relative, so that it works behind a proxy that adds a prefix.
      if (isBrowserAtRoot(request)) return reply.header('vary', 'accept').redirect(home, 303);
      const path = paths.find(request.raw.url as string);
      if (path !== undefined) noteRefusedPath(request, path);
      await before(request, reply);
      if (path === undefined && listener === 'internal' && request.url.startsWith('/v1/client/'))
        throw new ApiError('not_found', { message: internalAddress });
      if (path === undefined) throw notFound();
      const allow = [...path.methods].sort().join(', ');
      throw new ApiError('method_not_allowed', { headers: { allow } });
    },
    handler: () => {},
  });
}

/** Returns whether a browser asks for `/`, where no API has anything. */
function isBrowserAtRoot({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && url.split('?', 1)[0] === '/' && headers.accept?.includes('text/html') === true;
}

/** Responds 404 to paths such as `/products/`, which the router would treat as a product with an empty id. */
export function addEmptyParameters(app: FastifyInstance, before: BeforeRefusal): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!Object.values(request.params as Record<string, string>).includes('')) return;
    await before(request, reply);
    throw notFound();
  });
}

interface UnroutableOptions {
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
