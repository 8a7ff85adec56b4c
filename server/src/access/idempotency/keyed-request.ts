import type { WriteOutcome } from '../../api/reply.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queryable } from '../../postgres/database.ts';
import { retentionMs } from './idempotency-key.ts';
import {
  findIdempotencyRecord,
  type IdempotencyKeyState,
  type IdempotencyRecord,
  type IdempotencyScope,
  type RecordedRequest,
} from './idempotency-store.ts';

export interface KeyedRequest {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  readonly origin: RecordedRequest;
}

/**
 * Returns the recorded response of a request whose key has one; null if the request must run [platform-65] [platform-66].
 * @throws ApiError `idempotency_key_reuse` if the key belongs to another request, `idempotency_conflict` if its first request is
 * still running
 */
export function replayOf(state: IdempotencyKeyState, { fingerprint }: KeyedRequest): WriteOutcome | null {
  if (state.state === 'claimed') return null;
  if (state.state === 'running') throw requestInFlight();
  return replayOfRecord(state, fingerprint);
}

/**
 * Looks up a key while its request waits: returns the recorded response, or null. `isInFlight`: another request with the key is
 * waiting or running in this process.
 * @throws ApiError `idempotency_key_reuse`; `idempotency_conflict` if there is no record and `isInFlight`
 */
export async function findReplay(
  database: Queryable,
  clock: Clock,
  { scope, fingerprint }: KeyedRequest,
  isInFlight: boolean,
): Promise<WriteOutcome | null> {
  const record = await findIdempotencyRecord(database, scope, new Date(clock.now() - retentionMs));
  if (record !== null) return replayOfRecord(record, fingerprint);
  if (isInFlight) throw requestInFlight();
  return null;
}

function replayOfRecord(record: IdempotencyRecord, fingerprint: Buffer): WriteOutcome {
  if (!fingerprint.equals(record.fingerprint)) throw new ApiError('idempotency_key_reuse');
  const { status, headers, body } = record;
  return { response: { status, headers, body }, replayed: true };
}

/** Most requests end within a second [platform-63]. */
function requestInFlight(): ApiError {
  return new ApiError('idempotency_conflict', { headers: { 'retry-after': '1' } });
}
