import type { FastifyReply, FastifyRequest } from 'fastify';
import { readIdempotencyKey, requestFingerprint } from '../access/idempotency/idempotency-key.ts';
import { type IdempotencyScope, nameScope } from '../access/idempotency/idempotency-store.ts';
import { findReplay, type KeyedRequest } from '../access/idempotency/keyed-request.ts';
import type { Caller } from '../api/access.ts';
import {
  type AnyOperation,
  type ClientWriteOperation,
  idempotencyRuleOf,
  type LongWriteOperation,
  type ServiceContext,
  type WriteOperation,
} from '../api/operation.ts';
import type { Reply, WriteOutcome } from '../api/reply.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../postgres/database.ts';
import type { AuditedChange, Transaction } from '../postgres/transaction.ts';
import { clientGone } from './client-connections.ts';
import { isTagCurrent } from './conditional-read.ts';
import { initiatorOf, ofCaller, requestOf, send } from './execute-operation.ts';
import type { Metrics } from './metrics.ts';
import { pathOf } from './request-record.ts';
import type { WriteRunner } from './run-writes.ts';
import { type BrandWrite, runTurn, withoutLock } from './write-turn.ts';

export interface WriteExecution<Context extends ServiceContext> {
  readonly context: Context;
  readonly metrics: Metrics;
}

/**
 * Runs a write of the client listener in one transaction [D217]. With an Idempotency-Key, the response is serialised before the
 * commit and recorded in the same transaction, and a retry receives the same bytes. A refusal leaves nothing of the request.
 */
export function executeClientWrite<Context extends ServiceContext>(
  operation: ClientWriteOperation<Context>,
  { context, metrics, writes }: WriteExecution<Context> & { readonly writes: WriteRunner },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = requestOf(request);
  const { id: operationId, dryRun } = operation;
  const common = {
    operationId,
    brandId: (request.caller as Caller).brandId,
    keyed: readKeyedRequest(operation, request),
    gone: () => clientGone(reply),
  };
  const write: BrandWrite =
    dryRun?.isAsked(asked) === true
      ? {
          ...common,
          lock: withoutLock,
          subject: null,
          handle: (tx) => dryRun.handle(tx, asked),
        }
      : {
          ...common,
          lock: operation.lock,
          subject: operation.subject?.(asked) ?? null,
          read: (at) => operation.read?.(at, asked),
          handle: async (lock, read) => {
            await requirePrecondition(operation, lock, asked, context.clock);
            return operation.handle(lock, asked, context, read);
          },
        };
  return sendOutcome(reply, metrics, writes.run(write));
}

/** @throws ApiError `precondition_failed` if the resource is not as `If-Match` names it [platform-94] */
async function requirePrecondition(
  { precondition }: Pick<ClientWriteOperation<never>, 'precondition'>,
  lock: unknown,
  request: ReturnType<typeof requestOf>,
  clock: Clock,
): Promise<void> {
  const { ifMatch } = request;
  if (ifMatch === undefined || precondition === undefined) return;
  const state = await precondition.findVersion(lock, request);
  // The handler answers 404.
  if (state === null) return;
  if (!isTagCurrent(precondition.of, request, { ifMatch, state, now: clock.now() }))
    throw new ApiError('precondition_failed');
}

export interface InternalExecution<Context extends ServiceContext> extends WriteExecution<Context> {
  /** The Idempotency-Keys of the long writes that run in this process. */
  readonly inFlight: Set<string>;
}

type Commit = (database: Database, work: (tx: Transaction) => Promise<Reply>) => Promise<WriteOutcome>;

/** Runs a write of the internal listener in one transaction, whose audit entries name the caller [internal-54] [internal-185]. */
export function executeInternalWrite<Context extends ServiceContext>(
  operation: WriteOperation<Context> | LongWriteOperation<Context>,
  execution: InternalExecution<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { metrics } = execution;
  const context = ofCaller(execution.context, request);
  const keyed = readKeyedRequest(operation, request);
  const changes: AuditedChange[] = [];
  const initiator = initiatorOf(request, (change) => changes.push(change));
  const options = { onRetry: () => metrics.transactionRetried(), gone: () => clientGone(reply) };
  const commit: Commit = (database, handle) => {
    const { id: operationId, secretField } = operation;
    const write = {
      operationId,
      brandId: null,
      lock: withoutLock,
      subject: null,
      keyed,
      secretField,
      handle,
    };
    const once = async (tx: Transaction) => {
      // A retry begins again.
      changes.length = 0;
      return (await runTurn(tx, [write], context.clock, { waits: true }))[0] as WriteOutcome;
    };
    return initiator === null
      ? database.transaction(once, options)
      : database.auditedTransaction(initiator, once, options);
  };
  const run = async () => {
    const outcome =
      operation.kind === 'write'
        ? await commit(context.database, (tx) => operation.handle(tx, requestOf(request), context))
        : await runLong(operation, { ...execution, context }, { request, keyed, commit });
    for (const { action, brandId, resourceType, resourceId } of changes)
      request.log.info({ action, brand_id: brandId, [resourceType]: resourceId }, 'change committed');
    return outcome;
  };
  return sendOutcome(reply, metrics, run());
}

interface LongRun {
  readonly request: FastifyRequest;
  readonly keyed: KeyedRequest | null;
  readonly commit: Commit;
}

/** Runs a long write, whose key is claimed when its transaction begins: until then, a retry is known only in this process. */
async function runLong<Context extends ServiceContext>(
  { handle }: LongWriteOperation<Context>,
  { context, inFlight }: InternalExecution<Context>,
  { request, keyed, commit }: LongRun,
): Promise<WriteOutcome> {
  const { database, clock } = context;
  const key = keyed && nameScope(keyed.scope);
  const isInFlight = key !== null && inFlight.has(key);
  if (key !== null) inFlight.add(key);
  try {
    const replay = keyed === null ? null : await findReplay(database, clock, keyed, isInFlight);
    if (replay !== null) return replay;
    return await handle(context, {
      ...requestOf(request),
      commit: (brandId: number, work: (tx: Transaction) => Promise<Reply>) =>
        commit(database.forBrand(brandId), work),
    });
  } finally {
    if (key !== null && !isInFlight) inFlight.delete(key);
  }
}

/** Returns null for a request without an Idempotency-Key, or whose operation ignores it. */
function readKeyedRequest(
  operation: AnyOperation,
  { id, headers, method, url, rawBody, caller, internalCaller }: FastifyRequest,
): KeyedRequest | null {
  const key = readIdempotencyKey(headers['idempotency-key'], idempotencyRuleOf(operation));
  if (key === null) return null;
  const path = pathOf(url);
  const scope = scopeOf({ caller, internalCaller }, key);
  return {
    scope,
    fingerprint: requestFingerprint(
      'actor' in scope ? `${scope.actor}${method}` : method,
      path,
      rawBody ?? '',
    ),
    origin: { method, path, keyId: caller?.keyId ?? null, requestId: id },
  };
}

function scopeOf(
  { caller, internalCaller }: Pick<FastifyRequest, 'caller' | 'internalCaller'>,
  key: string,
): IdempotencyScope {
  if (internalCaller !== null) return { actor: internalCaller.actor, key };
  if (caller === null || caller.lineageId === null)
    throw new Error('an operation with an Idempotency-Key admits a caller who can have none');
  return { brandId: caller.brandId, lineageId: caller.lineageId, key };
}

/** Sends the outcome of a write, and counts replays and the refusals of keys. */
async function sendOutcome(
  reply: FastifyReply,
  metrics: Metrics,
  written: Promise<WriteOutcome>,
): Promise<FastifyReply> {
  try {
    const { response, replayed } = await written;
    if (replayed) {
      metrics.idempotency('replayed');
      reply.header('idempotency-replayed', 'true');
    }
    return send(reply, response);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'idempotency_conflict') metrics.idempotency('conflict');
    if (error instanceof ApiError && error.code === 'idempotency_key_reuse') metrics.idempotency('reuse');
    throw error;
  }
}
