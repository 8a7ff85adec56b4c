import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, InternalCaller } from '../api/access.ts';
import type { ReadOperation, ServiceContext, StreamOperation, UnmanagedOperation } from '../api/operation.ts';
import type { OperationRequest } from '../api/operation-request.ts';
import { type Reply, type SettledResponse, settleInPieces } from '../api/reply.ts';
import { takeTurn } from '../lib/loop-turns.ts';
import type { Owner } from '../lib/semaphore.ts';
import type { Initiator } from '../postgres/transaction.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import { answerConditionally } from './conditional-read.ts';
import type { Metrics } from './metrics.ts';
import { ownerOf } from './request-owner.ts';
import type { ResponseCache } from './response-cache.ts';
import { preferenceOf, unknownNameReport } from './unknown-name-hooks.ts';

export interface Execution<Context extends ServiceContext> {
  readonly context: Context;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
}

/** Runs a read and sends its response, or 304. If the version is the same, the body comes from the cache. */
export async function executeRead<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  { context, responses }: { readonly context: Context; readonly responses: ResponseCache },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const own = ofCaller(context, request);
  const asked = { ...requestOf(request), known: null };
  const answer = (known: string | null) => operation.handle(own, { ...asked, known });
  if (operation.currentVersion === undefined) {
    const answered = (await answer(null)) as Reply;
    return answered.stream === undefined
      ? send(reply, await settleInPieces(answered, ownerOf(request)))
      : sendStream(reply, answered);
  }
  const ifNoneMatch = request.headers['if-none-match'];
  return send(
    reply,
    await answerConditionally(
      operation,
      own,
      { ...asked, ifNoneMatch },
      { responses, owner: ownerOf(request), answer },
    ),
  );
}

/** Runs a write that opens its own transaction, if any, and sends its response. */
export async function executeUnmanaged<Context extends ServiceContext>(
  operation: UnmanagedOperation<Context>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answered = await operation.handle(ofCaller(context, request), requestOf(request));
  return send(reply, await settleInPieces(answered, ownerOf(request)));
}

export async function executeStream<Context extends ServiceContext>(
  operation: StreamOperation<Context>,
  { context, metrics, bodies }: Execution<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, caller, headers } = request;
  const contentType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const unknownNames = unknownNameReport(operation, metrics, request, reply);
  const body = bodies.open(request, { acceptsGzip: true });
  const streamed = {
    params: params as never,
    caller: caller as Caller,
    requestId: request.id,
    headers,
    contentType,
    body,
    unknownNames,
    pathPrefix: request.origin.pathPrefix,
  };
  const answered: Reply = await operation.handle(ofCaller(context, request), streamed);
  request.logged = answered.logged ?? null;
  return send(reply, await settleInPieces(answered, ownerOf(request)));
}

/** The handler's context, with the caller's share of the connections. */
export function ofCaller<Context extends ServiceContext>(context: Context, request: FastifyRequest): Context {
  return { ...context, database: context.database.forOwner(ownerOf(request)) };
}

/** Returns the validated parts of the request, and the initiator, which the audit records. */
export function requestOf(
  request: FastifyRequest,
): OperationRequest<never, never, never> & { initiator: Initiator | null } {
  const { params, query, body, caller, internalCaller, origin, headers } = request;
  const { pathPrefix } = origin;
  const initiator = initiatorOf(request);
  const requestId = request.id;
  // Typed as never: the same operation's schemas have validated them.
  const validated = { params: params as never, query: query as never, body: body as never };
  const callers = { caller: caller as Caller, internalCaller: internalCaller as InternalCaller };
  const brandIds = internalCaller?.brandIds ?? null;
  const ifMatch = headers['if-match'];
  const prefersRepresentation = preferenceOf(headers['prefer'], 'return') === 'representation';
  const asked = { ifMatch, prefersRepresentation };
  return { ...validated, ...callers, ...asked, brandIds, origin, requestId, pathPrefix, initiator };
}

/** Returns who made the request, for the audit; null on the client listener, and before a sign-in [internal-54]. */
export function initiatorOf(
  { internalCaller, origin, id }: FastifyRequest,
  onChange?: Initiator['onChange'],
): Initiator | null {
  if (internalCaller === null) return null;
  const { actor, actorName } = internalCaller;
  const { address } = origin;
  return { actor, actorName, address, requestId: id, ...(onChange && { onChange }) };
}

export function send(reply: FastifyReply, { status, headers, body }: SettledResponse): FastifyReply {
  reply.code(status).headers(headers);
  if (body === '') return reply.send();
  return reply.type('application/json; charset=utf-8').send(body);
}

/**
 * Sends a streamed body [D154]. One part is in memory, besides what the connection buffers: a client that stops reading stops the
 * parts, and loses its connection like any other (`addResponseTimeout`). HEAD sends no part.
 * @throws the error of the first part, while it can still become a response
 */
async function sendStream(reply: FastifyReply, { status, headers, stream }: Reply): Promise<FastifyReply> {
  if (stream === undefined) throw new Error('the reply has no stream');
  const { mediaType, fileName, parts } = stream;
  const isHead = reply.request.method === 'HEAD';
  const iterator = parts[Symbol.asyncIterator]();
  const body = isHead ? [] : continued(await iterator.next(), iterator, ownerOf(reply.request));
  reply
    .code(status)
    .headers({ ...headers, 'content-disposition': `attachment; filename="${fileName}"` })
    .type(`${mediaType}; charset=utf-8`);
  return reply.send(Readable.from(body));
}

async function* continued(
  first: IteratorResult<string>,
  parts: AsyncIterator<string>,
  owner: Owner,
): AsyncGenerator<string, void> {
  try {
    for (let part = first; part.done !== true; part = await parts.next()) {
      yield part.value;
      // Each part takes some milliseconds of the thread.
      await takeTurn(owner);
    }
  } finally {
    await parts.return?.();
  }
}
