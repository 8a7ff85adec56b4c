import { retentionMs } from '../access/idempotency/idempotency-key.ts';
import {
  claimIdempotencyKeys,
  type IdempotencyKeyState,
  insertIdempotencyRecords,
} from '../access/idempotency/idempotency-store.ts';
import { type KeyedRequest, replayOf } from '../access/idempotency/keyed-request.ts';
import type { BrandLock } from '../api/brand-lock.ts';
import type { LockedWork } from '../api/operation.ts';
import { type SettledResponse, settle, type WriteOutcome } from '../api/reply.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** A validated request of a write. */
export interface Write extends LockedWork {
  readonly operationId: string;
  /** The brand of the lock; null: a write of the internal listener, which takes no lock. */
  readonly brandId: number | null;
  /** The thing that the request is about; null: the request shares its transaction with no other. */
  readonly subject: string | null;
  /** null for a request without an Idempotency-Key. */
  readonly keyed: KeyedRequest | null;
  /** The field of the body that a replay does not show. */
  readonly secretField?: string | undefined;
  /** Called if the request has to wait. The signal aborts when the client has disconnected. */
  readonly gone?: () => AbortSignal;
}

/** A write of the client listener. */
export interface BrandWrite extends Write {
  readonly brandId: number;
}

type Writes = readonly [Write, ...Write[]];

/** The lock of a write that takes none: dry runs, and the internal listener, whose handlers lock what they change. */
export const withoutLock: BrandLock<Transaction> = {
  name: 'none',
  take: async (tx) => tx,
  takeFree: async (tx, brandIds) => new Map(brandIds.map((id) => [id, tx])),
  finish: () => {},
};

/** `another`: the brand's row is locked by another transaction, and nothing of the request was done. */
export type Outcome = WriteOutcome | ApiError | 'another';

interface TurnOptions {
  /**
   * True: waits for the lock of the only brand. False: takes the locks that are free, of any brands. Waiting for one while
   * holding others could end in a deadlock, and would keep the other brands waiting.
   */
  readonly waits: boolean;
}

/**
 * Runs requests under one kind of lock in the given transaction: claims their Idempotency-Keys, takes the locks of their brands,
 * runs the handlers of those that have both, and records the responses. After a crash all of it exists or none. Returns an
 * outcome for each; a refusal leaves its key free and does not affect the others [platform-65] [platform-66].
 * @throws ApiError the refusal of a request that is alone in its turn: rolling back leaves nothing of it
 */
export async function runTurn(
  tx: Transaction,
  writes: Writes,
  clock: Clock,
  { waits }: TurnOptions,
): Promise<Outcome[]> {
  const [first, ...others] = writes;
  const isAlone = others.length === 0;
  const [states, locks, early] = await Promise.all([
    claimKeys(tx, writes, clock),
    takeLocks(tx, writes, waits),
    isAlone ? startRead(tx, first) : undefined,
  ]);
  const results = new Map<Write, Handled | ApiError | 'another'>();
  const members = writes.map((write, n) => {
    return { write, state: states[n] ?? null, lock: locks.get(write.brandId) };
  });
  const runChain = async (chain: readonly Member[]) => {
    const reads = isAlone ? [early] : await readTogether(tx, chain);
    for (const [n, member] of chain.entries()) {
      const read = () => (reads === null ? startRead(tx, member.write) : reads[n]);
      const result = await run(member, read).catch((error: unknown) => {
        if (error instanceof ApiError && !isAlone) return error;
        throw error;
      });
      results.set(member.write, result);
    }
  };
  // All chains start before any is awaited, so that what they read leaves in one write. If one fails, the others end first.
  const settled = await Promise.allSettled(chainsOf(members).map(runChain));
  for (const chain of settled) if (chain.status === 'rejected') throw chain.reason;
  first.lock.finish([...locks.values()]);
  recordResponses(tx, results, clock);
  return writes.map((write) => {
    const result = results.get(write) as Handled | ApiError | 'another';
    return result === 'another' || result instanceof ApiError ? result : result.outcome;
  });
}

interface Member {
  readonly write: Write;
  /** null for a request without an Idempotency-Key. */
  readonly state: IdempotencyKeyState | null;
  /** The lock of its brand; undefined: another transaction has it. */
  readonly lock: unknown;
}

/** The requests of each subject, in order of arrival: each reads what the ones before it have written. */
function chainsOf(members: readonly Member[]): (readonly Member[])[] {
  const nameOf = (member: Member) => {
    const { brandId, subject } = member.write;
    return subject === null ? member : `${brandId} ${subject}`;
  };
  return [...Map.groupBy(members, nameOf).values()];
}

/** Reads for all requests of a chain at once, if none of them writes before the end of the turn; otherwise returns null. */
async function readTogether(tx: Transaction, chain: readonly Member[]): Promise<unknown[] | null> {
  if (!chain.every(({ write }) => write.lock.writesAtEnd)) return null;
  const isRun = ({ state, lock }: Member) => (state?.state ?? 'claimed') === 'claimed' && lock !== undefined;
  return Promise.all(chain.map((member) => (isRun(member) ? startRead(tx, member.write) : undefined)));
}

function startRead(tx: Transaction, { read, brandId }: Write): Promise<unknown> | undefined {
  return brandId === null ? undefined : read?.({ tx, brandId });
}

function takeLocks(
  tx: Transaction,
  [{ lock, brandId }, ...others]: Writes,
  waits: boolean,
): Promise<ReadonlyMap<number | null, unknown>> {
  if (brandId === null) return Promise.resolve(new Map([[null, tx]]));
  if (waits) return lock.take(tx, brandId).then((taken) => new Map([[brandId, taken]]));
  const brandIds = new Set([brandId, ...others.flatMap((other) => other.brandId ?? [])]);
  return lock.takeFree(
    tx,
    [...brandIds].sort((a, b) => a - b),
  );
}

interface Handled {
  readonly outcome: WriteOutcome;
  /** The response as it is recorded; null: it has a record, or needs none. */
  readonly recorded: SettledResponse | null;
}

/** Handles a request, unless its key has a response or its brand no lock. @throws ApiError the refusal */
async function run({ write, state, lock }: Member, read: () => unknown): Promise<Handled | 'another'> {
  const { keyed, secretField } = write;
  const replay = state === null ? null : replayOf(state, keyed as KeyedRequest);
  if (replay !== null) return { outcome: replay, recorded: null };
  if (lock === undefined) return 'another';
  const reply = await write.handle(lock, await read());
  const response = settle(reply);
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
  results: ReadonlyMap<Write, Handled | ApiError | 'another'>,
  clock: Clock,
): void {
  const responses = [...results].flatMap(([{ keyed }, result]) => {
    if (keyed === null || result === 'another' || result instanceof ApiError || result.recorded === null)
      return [];
    const { scope, fingerprint, origin } = keyed;
    return [{ scope, record: { fingerprint, ...result.recorded }, origin }];
  });
  insertIdempotencyRecords(tx, responses, new Date(clock.now()));
}
