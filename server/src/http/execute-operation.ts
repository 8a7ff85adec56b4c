import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf, requestFingerprint } from '../access/idempotency/idempotency-key.ts';
import { findReplay, runIdempotent, type SettledResponse } from '../access/idempotency/run-idempotent.ts';
import type {
  OperationRequest,
  ReadOperation,
  ServiceContext,
  StreamOperation,
  WriteOperation,
} from '../api/operation.ts';
import type { Reply } from '../api/reply.ts';
import type { Caller } from '../api/scopes.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import { clientGone } from './client-gone.ts';
import { answerConditionally } from './conditional-read.ts';
import type { Metrics } from './metrics.ts';
import { unknownNameReport } from './unknown-names/handling.ts';

/** The environment in which the operations of a listener run. */
export interface Execution<Context extends ServiceContext> {
  readonly context: Context;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
}

/** Runs a read and sends what it found, or 304 where the client has that already. */
export async function executeRead<Context extends ServiceContext>(
  operation: ReadOperation<Context>,
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const own = ofCaller(context, request);
  const answer = () => operation.handle(own, requestOf(request));
  if (operation.currentVersion === undefined) return send(reply, settle(await answer()));
  const ifNoneMatch = request.headers['if-none-match'];
  return send(
    reply,
    settle(await answerConditionally(operation, own, { ...requestOf(request), ifNoneMatch }, answer)),
  );
}

/**
 * Runs a write in one transaction [D1]. With an Idempotency-Key the response bytes are made before the commit and kept with
 * it, and a retry is answered with those bytes; what is thrown rolls everything back, the key included.
 */
export async function executeWrite<Context extends ServiceContext>(
  operation: WriteOperation<Context>,
  { context, metrics }: Execution<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = idempotencyKeyOf(request.headers['idempotency-key'], operation.idempotency);
  const { caller } = request;
  const own = ofCaller(context, request);
  const keyed =
    key === null || caller === null
      ? null
      : {
          scope: { brandId: caller.brandId, lineageId: caller.lineageId, key },
          fingerprint: requestFingerprint(request.method, pathOf(request.url), request.rawBody ?? ''),
        };
  const work = async (tx: Transaction) => {
    const write = async () => settle(await operation.handle(tx, requestOf(request), own));
    if (keyed === null) return { response: await write(), replayed: false };
    return runIdempotent(tx, context.clock, keyed, write);
  };
  const options = { onRetry: () => metrics.transactionRetried(), gone: () => clientGone(reply) };
  const locksCatalog = operation.locksCatalog === true && operation.isDryRun?.(requestOf(request)) !== true;
  const outcome = await (locksCatalog && caller !== null
    ? own.database.catalogTransaction(caller.brandId, work, {
        ...options,
        ...(keyed !== null && {
          name: `${keyed.scope.lineageId} ${keyed.scope.key}`,
          whileWaiting: (isInFlight) => findReplay(own.database, context.clock, keyed, isInFlight),
        }),
      })
    : own.database.transaction(work, options)
  ).catch((error: unknown) => {
    countIdempotencyRefusal(error, metrics);
    throw error;
  });
  if (outcome.replayed) {
    metrics.idempotency('replayed');
    reply.header('idempotency-replayed', 'true');
  }
  return send(reply, outcome.response);
}

/** Hands the unread body to a stream operation. */
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
    ...{ params: params as never, caller: caller as Caller },
    ...{ headers, contentType, body, unknownNames },
  };
  return send(reply, settle(await operation.handle(ofCaller(context, request), streamed)));
}

/** The handler's context, with the connections of the caller's brand. */
function ofCaller<Context extends ServiceContext>(context: Context, { caller }: FastifyRequest): Context {
  if (caller === null) return context;
  return { ...context, database: context.database.forBrand(caller.brandId) };
}

function countIdempotencyRefusal(error: unknown, metrics: Metrics): void {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'idempotency_conflict') metrics.idempotency('conflict');
  if (error.code === 'idempotency_key_reuse') metrics.idempotency('reuse');
}

/** The path as it was sent, without the query. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function requestOf(request: FastifyRequest): OperationRequest<never, never, never> {
  const { params, query, body, caller } = request;
  return { params, query, body, caller } as OperationRequest<never, never, never>;
}

function settle({ status, body, headers }: Reply): SettledResponse {
  return { status, headers: { ...headers }, body: body === undefined ? '' : JSON.stringify(body) };
}

function send(reply: FastifyReply, { status, headers, body }: SettledResponse): FastifyReply {
  reply.code(status).headers(headers);
  if (body === '') return reply.send();
  return reply.type('application/json; charset=utf-8').send(body);
}
