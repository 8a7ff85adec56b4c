import { asResult, isReply, type SharedResult } from '../../api/shared-handling.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { retentionMs } from './idempotency-key.ts';
import {
  type IdempotencyKeyState,
  insertIdempotencyRecords,
  tryLockIdempotencyKeys,
} from './idempotency-store.ts';
import {
  type IdempotentOutcome,
  type KeyedRequest,
  replayOf,
  type SettledResponse,
} from './run-idempotent.ts';

/**
 * Runs writes with Idempotency-Keys in one transaction, each as `runIdempotent` does, in three round trips in
 * addition to those of `write`. `write` receives the positions of the requests whose keys it may use, and returns one
 * result for each: a refusal leaves its key free, and a reply is recorded.
 *
 * Returns one result for each request. The conflict of a key is a refusal of its request and does not affect the
 * others.
 */
export async function runIdempotentTogether(
  tx: Transaction,
  clock: Clock,
  requests: readonly KeyedRequest[],
  write: (positions: readonly number[]) => Promise<readonly SharedResult<SettledResponse>[]>,
): Promise<SharedResult<IdempotentOutcome>[]> {
  const notBefore = new Date(clock.now() - retentionMs);
  const states = await tryLockIdempotencyKeys(
    tx,
    requests.map(({ scope }) => scope),
    notBefore,
  );
  const results: (SharedResult<IdempotentOutcome> | null)[] = requests.map((request, position) =>
    withoutWriting(states[position] as IdempotencyKeyState, request),
  );
  const locked = [...results.keys()].filter((position) => results[position] === null);
  const written = locked.length === 0 ? [] : await write(locked);
  const kept = [];
  for (const [index, position] of locked.entries()) {
    const result = written[index] as SharedResult<SettledResponse>;
    results[position] = isReply(result) ? { response: result, replayed: false } : result;
    const { scope, fingerprint, origin } = requests[position] as KeyedRequest;
    if (isReply(result)) kept.push({ scope, record: { fingerprint, ...result }, origin });
  }
  if (kept.length > 0) insertIdempotencyRecords(tx, kept, new Date(clock.now()));
  return results as SharedResult<IdempotentOutcome>[];
}

/** Returns the result of a request that must not run; null if its key is locked. */
function withoutWriting(
  state: IdempotencyKeyState,
  { fingerprint }: KeyedRequest,
): IdempotentOutcome | ApiError | null {
  if (state.state === 'locked') return null;
  if (state.state === 'running') return new ApiError('idempotency_conflict');
  return asResult(() => replayOf(state, fingerprint));
}
