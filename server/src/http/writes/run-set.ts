import { retentionMs } from '../../access/idempotency/idempotency-key.ts';
import {
  claimIdempotencyKeys,
  type IdempotencyKeyState,
  insertIdempotencyRecords,
} from '../../access/idempotency/idempotency-store.ts';
import { type KeyedRequest, replayOf } from '../../access/idempotency/keyed-request.ts';
import type { ServiceContext } from '../../api/operation.ts';
import { type Reply, type SettledResponse, settle, type WriteOutcome } from '../../api/reply.ts';
import { type OpenSet, refusalOr, type SetHandling } from '../../api/set-handling.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { WriteRequest } from './write-request.ts';

/** `blocked`: another transaction holds the lock of the brand; nothing was decided or written. */
export type SetOutcome = WriteOutcome | ApiError | 'blocked';

type Handling = SetHandling<ServiceContext, unknown, Reply>;

/**
 * Runs requests of one operation in the given transaction, in two round trips: claims the Idempotency-Keys, locks the brands and
 * reads; then, sent with the commit, writes what was decided and records the responses. After a crash both exist or neither.
 * Returns one outcome for each request; a refusal leaves its key free and does not affect the others [platform-65] [platform-66].
 */
export async function runSet(
  tx: Transaction,
  writes: readonly [WriteRequest, ...WriteRequest[]],
  { waits, context }: { readonly waits: boolean; readonly context: ServiceContext },
): Promise<SetOutcome[]> {
  const [{ operation }] = writes;
  const handling = operation.set as Handling;
  const requests = writes.map(({ request }) => request) as [unknown, ...unknown[]];
  const [states, set] = await Promise.all([
    claimKeys(tx, writes, context),
    handling.open(tx, requests, { waits, context }),
  ]);
  const outcomes = writes.map((write, position): SetOutcome => {
    const state = states[position] ?? null;
    return refusalOr(() => decide(set, { write, position, state, waits }));
  });
  await set.write();
  recordResponses(tx, writes, outcomes, context);
  return outcomes;
}

interface Deciding {
  readonly write: WriteRequest;
  readonly position: number;
  readonly state: IdempotencyKeyState | null;
  readonly waits: boolean;
}

function decide(set: OpenSet<Reply>, { write, position, state, waits }: Deciding): WriteOutcome | 'blocked' {
  const replay = state === null ? null : replayOf(state, write.keyed as KeyedRequest);
  if (replay !== null) return replay;
  if (!set.isLocked(position)) {
    if (waits) throw new Error(`brand ${write.brandId} has no row to lock`);
    return 'blocked';
  }
  return { response: settle(set.decide(position)), replayed: false };
}

/** Returns the state of each request's key; null for requests without one. */
async function claimKeys(
  tx: Transaction,
  writes: readonly WriteRequest[],
  { clock }: ServiceContext,
): Promise<(IdempotencyKeyState | null)[]> {
  const keyed = writes.flatMap(({ keyed: own }) => (own === null ? [] : [own]));
  const scopes = keyed.map(({ scope }) => scope);
  const states = await claimIdempotencyKeys(tx, scopes, new Date(clock.now() - retentionMs));
  let next = 0;
  return writes.map(({ keyed: own }) => {
    if (own === null) return null;
    next += 1;
    return states[next - 1] as IdempotencyKeyState;
  });
}

function recordResponses(
  tx: Transaction,
  writes: readonly WriteRequest[],
  outcomes: readonly SetOutcome[],
  { clock }: ServiceContext,
): void {
  const responses = writes.flatMap(({ keyed }, position) => {
    const response = newResponse(outcomes[position]);
    if (keyed === null || response === null) return [];
    const { scope, fingerprint, origin } = keyed;
    return [{ scope, record: { fingerprint, ...response }, origin }];
  });
  insertIdempotencyRecords(tx, responses, new Date(clock.now()));
}

/** Returns the response of a request that was executed, null for others. */
function newResponse(outcome: SetOutcome | undefined): SettledResponse | null {
  if (outcome === undefined || outcome === 'blocked' || outcome instanceof ApiError) return null;
  return outcome.replayed ? null : outcome.response;
}
