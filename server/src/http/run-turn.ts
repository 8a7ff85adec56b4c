import { retentionMs } from '../access/idempotency/idempotency-key.ts';
import {
  claimIdempotencyKeys,
  type IdempotencyKeyState,
  insertIdempotencyRecords,
} from '../access/idempotency/idempotency-store.ts';
import { type KeyedRequest, replayOf } from '../access/idempotency/keyed-request.ts';
import type { BrandLock, LockedWork } from '../api/operation.ts';
import { type SettledResponse, settle, type WriteOutcome } from '../api/reply.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** A validated request of a write. */
export interface Write extends LockedWork {
  readonly operationId: string;
  /** The brand of the lock. */
  readonly brandId: number;
  /** Requests with different subjects may share a transaction; null: the request shares its transaction with no other. */
  readonly subject: string | null;
  /** null for a request without an Idempotency-Key. */
  readonly keyed: KeyedRequest | null;
  /** The field of the body that a replay does not show. */
  readonly secretField?: string | undefined;
  /** Called if the request has to wait. The signal aborts when the client has disconnected. */
  readonly gone?: () => AbortSignal;
}

export type Writes = readonly [Write, ...Write[]];

/** The lock of a write that takes none: dry runs, and the internal listener, whose handlers lock what they change. */
export const withoutLock: BrandLock<Transaction> = {
  name: 'none',
  take: async (tx) => tx,
  finish: () => {},
};

/**
 * Runs requests of one brand and lock in the given transaction: claims their Idempotency-Keys and takes the lock, runs the
 * handlers of those that have their keys, and records the responses. After a crash all of it exists or none. Returns an outcome
 * for each; a refusal leaves its key free and does not affect the others [platform-65] [platform-66].
 * @throws ApiError the refusal of a request without company: rolling back leaves nothing of it
 */
export async function runTurn(
  tx: Transaction,
  writes: Writes,
  clock: Clock,
): Promise<(WriteOutcome | ApiError)[]> {
  const [{ lock: brandLock, brandId }] = writes;
  const at = { tx, brandId };
  const isAlone = writes.length === 1;
  const [states, lock, early] = await Promise.all([
    claimKeys(tx, writes, clock),
    brandLock.take(tx, brandId),
    isAlone ? writes[0].read?.(at) : undefined,
  ]);
  // All handlers start before any is awaited, so that what they read leaves in one write.
  const settled = await Promise.allSettled(
    writes.map(async (write, n) => {
      const state = states[n] ?? null;
      const replay = state === null ? null : replayOf(state, write.keyed as KeyedRequest);
      if (replay !== null) return { outcome: replay, recorded: null };
      return handle(write, lock, isAlone ? early : await write.read?.(at));
    }),
  );
  const handled = settled.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if (result.reason instanceof ApiError && !isAlone) return result.reason;
    throw result.reason;
  });
  brandLock.finish(lock);
  recordResponses(tx, writes, handled, clock);
  return handled.map((result) => (result instanceof ApiError ? result : result.outcome));
}

export function keyNameOf(keyed: KeyedRequest | null): string | null {
  return keyed === null ? null : `${keyed.scope.lineageId} ${keyed.scope.key}`;
}

interface Handled {
  readonly outcome: WriteOutcome;
  /** The response as it is recorded; null: it has a record, or needs none. */
  readonly recorded: SettledResponse | null;
}

async function handle(write: Write, lock: unknown, read: unknown): Promise<Handled> {
  const reply = await write.handle(lock, read);
  const response = settle(reply);
  const { secretField, keyed } = write;
  if (keyed === null) return { outcome: { response, replayed: false }, recorded: null };
  const recorded =
    secretField === undefined
      ? response
      : settle({ ...reply, body: { ...(reply.body as object), [secretField]: null } });
  return { outcome: { response, replayed: false }, recorded };
}

/** Returns the state of each request's key; null for requests without one. */
async function claimKeys(
  tx: Transaction,
  writes: readonly Write[],
  clock: Clock,
): Promise<(IdempotencyKeyState | null)[]> {
  const scopes = writes.flatMap(({ keyed }) => (keyed === null ? [] : [keyed.scope]));
  const states = await claimIdempotencyKeys(tx, scopes, new Date(clock.now() - retentionMs));
  return writes.map(({ keyed }) => (keyed === null ? null : (states.shift() as IdempotencyKeyState)));
}

function recordResponses(
  tx: Transaction,
  writes: readonly Write[],
  handled: readonly (Handled | ApiError)[],
  clock: Clock,
): void {
  const responses = writes.flatMap(({ keyed }, n) => {
    const result = handled[n];
    if (keyed === null || result === undefined || result instanceof ApiError || result.recorded === null)
      return [];
    const { scope, fingerprint, origin } = keyed;
    return [{ scope, record: { fingerprint, ...result.recorded }, origin }];
  });
  insertIdempotencyRecords(tx, responses, new Date(clock.now()));
}
