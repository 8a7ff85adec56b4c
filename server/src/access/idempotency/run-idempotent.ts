import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { retentionMs } from './idempotency-key.ts';
import {
  findIdempotencyRecord,
  type IdempotencyRecord,
  type IdempotencyScope,
  insertIdempotencyRecord,
  type RecordedRequest,
  tryLockIdempotencyKey,
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

export interface IdempotentOutcome {
  readonly response: SettledResponse;
  readonly replayed: boolean;
}

/**
 * Runs a write once for its Idempotency-Key, inside the caller's transaction. The effect of `write` and the record of
 * its response commit together, so after a crash both exist or neither; a `write` that throws rolls back and leaves
 * the key free [platform-65] [platform-66]. `write` is called only once the key is locked.
 * @throws ApiError `idempotency_key_reuse` if the key belongs to another request, `idempotency_conflict` if its
 * first request is still running. Neither waits.
 */
export async function runIdempotent(
  tx: Transaction,
  clock: Clock,
  { scope, fingerprint, origin }: KeyedRequest,
  write: () => Promise<SettledResponse>,
): Promise<IdempotentOutcome> {
  const found = await tryLockIdempotencyKey(tx, scope, new Date(clock.now() - retentionMs));
  if (found.state === 'running') throw new ApiError('idempotency_conflict');
  if (found.state === 'settled') return replayOf(found, fingerprint);
  const response = await write();
  const record = { fingerprint, ...response };
  insertIdempotencyRecord(tx, scope, { record, origin, createdAt: new Date(clock.now()) });
  return { response, replayed: false };
}

/**
 * Looks up a key while its request waits: returns the recorded response, or null.
 * @throws ApiError `idempotency_key_reuse`; `idempotency_conflict` if there is no record and another request with the
 * key is running in this process (`isInFlight`)
 */
export async function findReplay(
  database: Queryable,
  clock: Clock,
  { scope, fingerprint }: KeyedRequest,
  isInFlight: boolean,
): Promise<IdempotentOutcome | null> {
  const record = await findIdempotencyRecord(database, scope, new Date(clock.now() - retentionMs));
  if (record !== null) return replayOf(record, fingerprint);
  if (isInFlight) throw new ApiError('idempotency_conflict');
  return null;
}

/**
 * Returns the recorded response of a key.
 * @throws ApiError `idempotency_key_reuse` if the key belongs to another request
 */
export function replayOf(record: IdempotencyRecord, fingerprint: Buffer): IdempotentOutcome {
  if (!fingerprint.equals(record.fingerprint)) throw new ApiError('idempotency_key_reuse');
  const { status, headers, body } = record;
  return { response: { status, headers, body }, replayed: true };
}
