import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf, requestFingerprint } from '../access/idempotency/idempotency-key.ts';
import type { KeyedRequest } from '../access/idempotency/keyed-request.ts';
import type { ServiceContext, SetOperation, WriteOperation } from '../api/operation.ts';
import type { Caller } from '../api/scopes.ts';
import { ApiError } from '../errors/api-error.ts';
import type { AuditedChange, Transaction } from '../postgres/transaction.ts';
import { clientGone } from './client-gone.ts';
import { type Execution, initiatorOf, requestOf, send, settle } from './execute-operation.ts';
import type { Metrics } from './metrics.ts';
import type { Writer } from './writes/writer.ts';

/**
 * Runs a write of the client listener in one transaction [D1]. With an Idempotency-Key, the response is serialised before
 * the commit and recorded in the same transaction, and a retry receives the same bytes. A refusal leaves nothing of the
 * request.
 */
export async function executeWrite<Context extends ServiceContext>(
  operation: SetOperation<Context>,
  { metrics, writer }: { readonly metrics: Metrics; readonly writer: Writer },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = request.caller as Caller;
  try {
    const { response, replayed } = await writer.run({
      operation: operation as SetOperation<never>,
      request: requestOf(request),
      brandId: caller.brandId,
      keyed: keyedRequestOf(operation, request, caller),
      gone: () => clientGone(reply),
    });
    if (replayed) {
      metrics.idempotency('replayed');
      reply.header('idempotency-replayed', 'true');
    }
    return send(reply, response);
  } catch (error) {
    countIdempotencyRefusal(error, metrics);
    throw error;
  }
}

/** Runs a write of the internal listener and logs the audited changes. */
export async function executeInternalWrite<Context extends ServiceContext>(
  { handle }: WriteOperation<Context>,
  { context, metrics }: Execution<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const changes: AuditedChange[] = [];
  const work = async (tx: Transaction) => {
    // A retry begins again.
    changes.length = 0;
    return settle(await handle(tx, requestOf(request), context));
  };
  const initiator = initiatorOf(request, (change) => changes.push(change));
  const options = { onRetry: () => metrics.transactionRetried(), gone: () => clientGone(reply) };
  const response =
    initiator === null
      ? await context.database.transaction(work, options)
      : await context.database.auditedTransaction(initiator, work, options);
  for (const { action, brandId, resourceType, resourceId } of changes)
    request.log.info({ action, brand_id: brandId, [resourceType]: resourceId }, 'change committed');
  return send(reply, response);
}

/** Returns null for a request without an Idempotency-Key. */
function keyedRequestOf<Context extends ServiceContext>(
  { idempotency }: SetOperation<Context>,
  { id, headers, method, url, rawBody }: FastifyRequest,
  { brandId, lineageId, keyId }: Caller,
): KeyedRequest | null {
  const key = idempotencyKeyOf(headers['idempotency-key'], idempotency);
  if (key === null) return null;
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
