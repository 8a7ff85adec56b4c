import { asResult, isReply, type SharedResult } from '../../api/shared-handling.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { retentionMs } from './idempotency-key.ts';
import type { IdempotencyKeyState } from './idempotency-store.ts';
import {
  type IdempotentOutcome,
  type KeyedRequest,
  replayOf,
  type SettledResponse,
} from './run-idempotent.ts';
import { insertIdempotencyRecords, type KeptResponse, tryLockIdempotencyKeys } from './shared-keys-store.ts';

/**
 * Runs writes with Idempotency-Keys in one transaction, each as `runIdempotent` does. `write` starts before the keys are
 * locked, so that its first statement is sent with those that lock them: it writes only for the requests whose keys are
 * locked (`isClaimed`), and returns one result for each request. The results of the others are discarded. A refusal leaves
 * its key free, and a reply is recorded, with the commit.
 *
 * Returns one result for each request. The conflict of a key is a refusal of its request and does not affect the
 * others.
 */
export async function runIdempotentTogether(
  tx: Transaction,
  clock: Clock,
  requests: readonly KeyedRequest[],
  write: () => Promise<readonly SharedResult<SettledResponse>[]>,
): Promise<SharedResult<IdempotentOutcome>[]> {
  const scopes = requests.map(({ scope }) => scope);
  const [states, written] = await Promise.all([
    tryLockIdempotencyKeys(tx, scopes, new Date(clock.now() - retentionMs)),
    write(),
  ]);
  const kept: KeptResponse[] = [];
  const results = requests.map((request, position): SharedResult<IdempotentOutcome> => {
    const instead = withoutWriting(states[position] as IdempotencyKeyState, request);
    if (instead !== null) return instead;
    const result = written[position] as SharedResult<SettledResponse>;
    if (!isReply(result)) return result;
    const { scope, fingerprint, origin } = request;
    kept.push({ scope, record: { fingerprint, ...result }, origin });
    return { response: result, replayed: false };
  });
  if (kept.length > 0) insertIdempotencyRecords(tx, kept, new Date(clock.now()));
  return results;
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
