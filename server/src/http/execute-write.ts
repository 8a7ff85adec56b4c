import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf, requestFingerprint } from '../access/idempotency/idempotency-key.ts';
import {
  findReplay,
  type IdempotentOutcome,
  type KeyedRequest,
  runIdempotent,
} from '../access/idempotency/run-idempotent.ts';
import type { ServiceContext, WriteOperation } from '../api/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import type { AuditedChange, Transaction } from '../postgres/transaction.ts';
import { clientGone } from './client-gone.ts';
import { type Execution, initiatorOf, ofCaller, requestOf, send, settle } from './execute-operation.ts';
import type { Metrics } from './metrics.ts';
import type { OperationSharing } from './shared-writes/share-operation.ts';

/**
 * Runs a write in one transaction [D1], its own or one that it shares with other requests [D91]. With an
 * Idempotency-Key, the response is serialised before the commit and recorded in the same transaction, and a retry
 * receives the same bytes. An error rolls back everything that the request has written, including the record.
 *
 * `sharing`: null if requests of the operation do not share transactions.
 */
export async function executeWrite<Context extends ServiceContext>(
  operation: WriteOperation<Context>,
  execution: Execution<Context> & { readonly sharing: OperationSharing | null },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { metrics, sharing } = execution;
  const keyed = keyedRequestOf(operation, request);
  const gone = () => clientGone(reply);
  try {
    const together =
      keyed === null
        ? 'alone'
        : await sharing?.run({
            brandId: keyed.scope.brandId,
            value: { request: requestOf(request), keyed },
            gone,
          });
    const outcome =
      together === undefined || together === 'alone'
        ? await runAlone(operation, execution, request, { keyed, gone })
        : together;
    if (outcome instanceof ApiError) throw outcome;
    if (outcome.replayed) {
      metrics.idempotency('replayed');
      reply.header('idempotency-replayed', 'true');
    }
    return send(reply, outcome.response);
  } catch (error) {
    countIdempotencyRefusal(error, metrics);
    throw error;
  }
}

interface AloneOptions {
  readonly keyed: KeyedRequest | null;
  readonly gone: () => AbortSignal;
}

/** Runs a write in its own transaction, with its brand's share of the connections. Logs the audited changes. */
async function runAlone<Context extends ServiceContext>(
  operation: WriteOperation<Context>,
  { context, metrics }: Execution<Context>,
  request: FastifyRequest,
  { keyed, gone }: AloneOptions,
): Promise<IdempotentOutcome> {
  const { caller } = request;
  const own = ofCaller(context, request);
  const changes: AuditedChange[] = [];
  const work = async (tx: Transaction) => {
    // A retry begins again.
    changes.length = 0;
    const write = async () => settle(await operation.handle(tx, requestOf(request), own));
    if (keyed === null) return { response: await write(), replayed: false };
    return runIdempotent(tx, context.clock, keyed, write);
  };
  const initiator = initiatorOf(request, (change) => changes.push(change)) ?? undefined;
  const options = { onRetry: () => metrics.transactionRetried(), gone, initiator };
  const locksCatalog = operation.locksCatalog === true && operation.isDryRun?.(requestOf(request)) !== true;
  if (!locksCatalog || caller === null) {
    const outcome = await own.database.transaction(work, options);
    for (const { action, brandId, resourceType, resourceId } of changes)
      request.log.info({ action, brand_id: brandId, [resourceType]: resourceId }, 'change committed');
    return outcome;
  }
  return own.database.catalogTransaction(caller.brandId, work, {
    ...options,
    ...(keyed !== null && {
      name: `${keyed.scope.lineageId} ${keyed.scope.key}`,
      whileWaiting: (isInFlight) => findReplay(own.database, context.clock, keyed, isInFlight),
    }),
  });
}

/** Returns null for a request without an Idempotency-Key. */
function keyedRequestOf<Context extends ServiceContext>(
  { idempotency }: WriteOperation<Context>,
  { id, headers, caller, method, url, rawBody }: FastifyRequest,
): KeyedRequest | null {
  const key = idempotencyKeyOf(headers['idempotency-key'], idempotency);
  if (key === null || caller === null) return null;
  const { brandId, lineageId, keyId } = caller;
  const path = pathOf(url);
  return {
    scope: { brandId, lineageId, key },
    fingerprint: requestFingerprint(method, path, rawBody ?? ''),
    origin: { method, path, keyId, requestId: id },
  };
}

function countIdempotencyRefusal(error: unknown, metrics: Metrics): void {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'idempotency_conflict') metrics.idempotency('conflict');
  if (error.code === 'idempotency_key_reuse') metrics.idempotency('reuse');
}

/** The path as sent, without the query. */
function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
