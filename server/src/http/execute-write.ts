import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf, requestFingerprint } from '../access/idempotency/idempotency-key.ts';
import { callerScope, type KeyedRequest } from '../access/idempotency/keyed-request.ts';
import {
  type AnyOperation,
  idempotencyRuleOf,
  type ServiceContext,
  type SetOperation,
} from '../api/operation.ts';
import type { WriteOutcome } from '../api/reply.ts';
import type { Caller } from '../api/scopes.ts';
import { ApiError } from '../errors/api-error.ts';
import { clientGone } from './client-gone.ts';
import { requestOf, send } from './execute-operation.ts';
import type { Metrics } from './metrics.ts';
import { pathOf } from './request-record.ts';
import type { Writer } from './writes/writer.ts';

/**
 * Runs a write of the client listener in one transaction [D1]. With an Idempotency-Key, the response is serialised before the
 * commit and recorded in the same transaction, and a retry receives the same bytes. A refusal leaves nothing of the request.
 */
export async function executeWrite<Context extends ServiceContext>(
  operation: SetOperation<Context>,
  { metrics, writer }: { readonly metrics: Metrics; readonly writer: Writer },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = request.caller as Caller;
  try {
    const outcome = await writer.run({
      operation: operation as SetOperation<never>,
      request: requestOf(request),
      brandId: caller.brandId,
      keyed: keyedRequestOf(operation, request),
      gone: () => clientGone(reply),
    });
    return sendOutcome(reply, outcome, metrics);
  } catch (error) {
    countIdempotencyRefusal(error, metrics);
    throw error;
  }
}

/** Returns null for a request without an Idempotency-Key, or whose operation ignores it. */
export function keyedRequestOf(
  operation: AnyOperation,
  { id, headers, method, url, rawBody, caller, internalCaller }: FastifyRequest,
): KeyedRequest | null {
  const key = idempotencyKeyOf(headers['idempotency-key'], idempotencyRuleOf(operation));
  if (key === null) return null;
  const path = pathOf(url);
  const actor = internalCaller?.actor ?? '';
  return {
    scope:
      caller === null
        ? callerScope(actor, key)
        : { brandId: caller.brandId, lineageId: caller.lineageId, key },
    fingerprint: requestFingerprint(`${actor}${method}`, path, rawBody ?? ''),
    origin: { method, path, keyId: caller?.keyId ?? null, requestId: id },
  };
}

export function sendOutcome(
  reply: FastifyReply,
  { response, replayed }: WriteOutcome,
  metrics: Metrics,
): FastifyReply {
  if (replayed) {
    metrics.idempotency('replayed');
    reply.header('idempotency-replayed', 'true');
  }
  return send(reply, response);
}

export function countIdempotencyRefusal(error: unknown, metrics: Metrics): void {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'idempotency_conflict') metrics.idempotency('conflict');
  if (error.code === 'idempotency_key_reuse') metrics.idempotency('reuse');
}
