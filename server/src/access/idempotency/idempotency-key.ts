import type { IdempotencyRule } from '../../api/operation.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { sha256 } from '../../lib/secrets.ts';

/** Milliseconds for which settled keys are kept [platform-64]. */
export const retentionMs = 24 * 60 * 60 * 1000;

const visibleAscii = /^[\x21-\x7e]+$/;
const maxLength = 191;
/** Larger bodies are not copied for a fingerprint. */
const oneHashBytes = 32_768;

/**
 * Returns the Idempotency-Key of a request, or null if none applies. An empty header counts as missing [platform-57].
 * @throws ApiError `idempotency_key_required`, or `validation_failed` on `idempotency_key`.
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  rule: IdempotencyRule,
): string | null {
  if (rule === 'ignored') return null;
  const key = readKeyHeader(header, 'idempotency_key');
  if (key === null && rule === 'required') throw new ApiError('idempotency_key_required');
  return key;
}

/** Reads an Idempotency-Key header; null if it is missing or empty. @throws ApiError `validation_failed` on `field` */
export function readKeyHeader(header: string | string[] | undefined, field: string): string | null {
  const key = Array.isArray(header) ? header.join(', ') : (header ?? '');
  if (key === '') return null;
  if (key.length > maxLength || !visibleAscii.test(key))
    throw invalidField(field, `must be one value of at most ${maxLength} visible ASCII characters`);
  return key;
}

/** Computes the identity of a request for retries: its method, path (without the query) and exact body bytes [platform-62]. */
export function requestFingerprint(method: string, path: string, body: Uint8Array | string): Buffer {
  const head = `${method} ${path}\n`;
  if (typeof body === 'string') return sha256(head + body);
  // In one piece, which is hashed without a hash object.
  return body.length <= oneHashBytes ? sha256(Buffer.concat([Buffer.from(head), body])) : sha256(head, body);
}
