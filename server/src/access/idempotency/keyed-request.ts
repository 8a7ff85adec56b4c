import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { IdempotencyKeyState } from './claim-keys-store.ts';
import { retentionMs } from './idempotency-key.ts';
import {
  findIdempotencyRecord,
  type IdempotencyRecord,
  type IdempotencyScope,
  type RecordedRequest,
} from './idempotency-store.ts';

/** A serialised response. */
export interface SettledResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  readonly origin: RecordedRequest;
}

export interface WriteOutcome {
  readonly response: SettledResponse;
  readonly replayed: boolean;
}

/**
 * Returns the recorded response of a request whose key has one; null if the request claimed its key and must run
 * [platform-65] [platform-66].
 * @throws ApiError `idempotency_key_reuse` if the key belongs to another request, `idempotency_conflict` if its first
 *   request is still running
 */
export function replayOf(state: IdempotencyKeyState, { fingerprint }: KeyedRequest): WriteOutcome | null {
  if (state.state === 'claimed') return null;
  if (state.state === 'running') throw new ApiError('idempotency_conflict');
  return replayOfRecord(state, fingerprint);
}

/**
 * Looks up a key while its request waits: returns the recorded response, or null.
 * @throws ApiError `idempotency_key_reuse`; `idempotency_conflict` if there is no record and another request with the
 *   key is waiting or running in this process (`isInFlight`)
 */
export async function findReplay(
  database: Queryable,
  clock: Clock,
  { scope, fingerprint }: KeyedRequest,
  isInFlight: boolean,
): Promise<WriteOutcome | null> {
  const record = await findIdempotencyRecord(database, scope, new Date(clock.now() - retentionMs));
  if (record !== null) return replayOfRecord(record, fingerprint);
  if (isInFlight) throw new ApiError('idempotency_conflict');
  return null;
}

function replayOfRecord(record: IdempotencyRecord, fingerprint: Buffer): WriteOutcome {
  if (!fingerprint.equals(record.fingerprint)) throw new ApiError('idempotency_key_reuse');
  const { status, headers, body } = record;
  return { response: { status, headers, body }, replayed: true };
}
