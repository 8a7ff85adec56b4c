import type { FastifyReply, FastifyRequest } from 'fastify';
import { retentionMs } from '../access/idempotency/idempotency-key.ts';
import {
  claimIdempotencyKeys,
  type IdempotencyKeyState,
  insertIdempotencyRecords,
} from '../access/idempotency/idempotency-store.ts';
import { findReplay, type KeyedRequest, replayOf } from '../access/idempotency/keyed-request.ts';
import type { LongWriteOperation, ServiceContext, WriteOperation } from '../api/operation.ts';
import type { Reply, WriteOutcome } from '../api/reply.ts';
import type { Database } from '../postgres/database.ts';
import type { AuditedChange, Transaction } from '../postgres/transaction.ts';
import { clientGone } from './client-gone.ts';
import { initiatorOf, requestOf, settle } from './execute-operation.ts';
import { countIdempotencyRefusal, keyedRequestOf, sendOutcome } from './execute-write.ts';
import type { Metrics } from './metrics.ts';
import { keyNameOf } from './writes/write-request.ts';

export interface InternalExecution<Context extends ServiceContext> {
  readonly context: Context;
  readonly metrics: Metrics;
  /** The Idempotency-Keys of the long writes that run in this process. */
  readonly inFlight: Set<string>;
}

type Commit = (database: Database, work: (tx: Transaction) => Promise<Reply>) => Promise<WriteOutcome>;

export async function executeInternalWrite<Context extends ServiceContext>(
  operation: WriteOperation<Context> | LongWriteOperation<Context>,
  execution: InternalExecution<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { context, metrics } = execution;
  const keyed = keyedRequestOf(operation, request);
  const changes: AuditedChange[] = [];
  const initiator = initiatorOf(request, (change) => changes.push(change));
  const options = { onRetry: () => metrics.transactionRetried(), gone: () => clientGone(reply) };
  const commit: Commit = (database, work) => {
    const once = (tx: Transaction) => {
      // A retry begins again.
      changes.length = 0;
      return runOnce(tx, context, { operation, keyed, work });
    };
    return initiator === null
      ? database.transaction(once, options)
      : database.auditedTransaction(initiator, once, options);
  };
  try {
    const outcome =
      operation.kind === 'write'
        ? await commit(context.database, (tx) => operation.handle(tx, requestOf(request), context))
        : await runLong(operation, execution, { request, keyed, commit });
    for (const { action, brandId, resourceType, resourceId } of changes)
      request.log.info({ action, brand_id: brandId, [resourceType]: resourceId }, 'change committed');
    return sendOutcome(reply, outcome, metrics);
  } catch (error) {
    countIdempotencyRefusal(error, metrics);
    throw error;
  }
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
  const key = keyNameOf(keyed);
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

interface Work {
  readonly operation: Pick<WriteOperation, 'secretField'>;
  readonly keyed: KeyedRequest | null;
  readonly work: (tx: Transaction) => Promise<Reply>;
}

/** Claims the key, runs the work and records the response without its secret, or returns the recorded one [internal-185]. */
async function runOnce(
  tx: Transaction,
  { clock }: ServiceContext,
  { operation: { secretField }, keyed, work }: Work,
): Promise<WriteOutcome> {
  if (keyed === null) return { response: settle(await work(tx)), replayed: false };
  const { scope, fingerprint, origin } = keyed;
  const states = await claimIdempotencyKeys(tx, [scope], new Date(clock.now() - retentionMs));
  const replay = replayOf(states[0] as IdempotencyKeyState, keyed);
  if (replay !== null) return replay;
  const reply = await work(tx);
  const kept =
    secretField === undefined
      ? reply
      : { ...reply, body: { ...(reply.body as object), [secretField]: null } };
  insertIdempotencyRecords(
    tx,
    [{ scope, record: { fingerprint, ...settle(kept) }, origin }],
    new Date(clock.now()),
  );
  return { response: settle(reply), replayed: false };
}
