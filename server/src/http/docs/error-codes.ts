import type { Operation } from '../../api/operation.ts';
import type { ErrorCode } from '../../errors/error-catalogue.ts';

/** Every code that an operation can answer: what its kind brings with it, and what it declares itself. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const byKey = operation.access !== 'admin';
  const codes: ErrorCode[] = ['unauthenticated', 'server_error', 'service_unavailable'];
  if (byKey) codes.push('rate_limited');
  if (byKey && operation.access.length > 0) codes.push('insufficient_scope');
  if (operation.params !== undefined) codes.push('not_found');
  if (operation.query !== undefined || operation.body !== undefined) codes.push('validation_failed');
  if (operation.body !== undefined) codes.push('payload_too_large', 'unsupported_media_type');
  if (byKey && operation.kind === 'write' && operation.idempotency !== 'ignored') {
    codes.push('idempotency_key_reuse', 'idempotency_conflict');
    if (operation.idempotency === 'required') codes.push('idempotency_key_required');
  }
  return [...new Set([...codes, ...(operation.errors ?? [])])];
}
