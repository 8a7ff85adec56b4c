import { retentionMs } from '../access/idempotency/idempotency-key.ts';
import {
  claimIdempotencyKeys,
  type IdempotencyKeyState,
  insertIdempotencyRecords,
} from '../access/idempotency/idempotency-store.ts';
import { findReplay, type KeyedRequest, replayOf } from '../access/idempotency/keyed-request.ts';
import type { BrandLock, LockedWork, ServiceContext } from '../api/operation.ts';
import { type SettledResponse, settle, type WriteOutcome } from '../api/reply.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../lib/clock.ts';
import { limitWait, TurnError } from '../lib/turn-wait.ts';
import {
  brokenConstraint,
  isAnswerTimeout,
  isConnectionFailure,
  isLockTimeout,
  isStatementTimeout,
} from '../postgres/database-errors.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Metrics } from './metrics.ts';

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

type Writes = readonly [Write, ...Write[]];

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
  const response = await settle(reply, write.brandId);
  const { secretField, keyed } = write;
  if (keyed === null) return { outcome: { response, replayed: false }, recorded: null };
  const recorded =
    secretField === undefined
      ? response
      : await settle({ ...reply, body: { ...(reply.body as object), [secretField]: null } }, write.brandId);
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

/** The most requests of a turn. */
const maxRequests = 16;
/** Further requests of a line are refused at once: they would only fill the memory. */
const maxWaiting = 1_000;
/** Milliseconds after which a turn counts as slow: it may wait for a feed. */
const slowTurnMs = 20;
/** Milliseconds that a request may wait for its turn. */
const waitLimitMs = 25_000;

interface Member {
  readonly write: Write;
  readonly answer: (outcome: WriteOutcome | ApiError) => void;
  readonly fail: (reason: unknown) => void;
  /** Ends the wait for a turn, with its timer and its listener. */
  readonly leave: () => void;
  /** Once is enough: the record of a request that has its key appears with the end of its turn. */
  isLookedUp: boolean;
}

/** The requests that wait for a lock of a brand, in order of arrival. */
interface Line {
  readonly waiting: Member[];
  isRunning: boolean;
  /** The turn takes long: retries are meanwhile answered from their records. */
  isSlow: boolean;
}

/**
 * Runs the writes of the client API [D217]. Each brand and lock has a line, served in order of arrival in one transaction at a
 * time; brands share the connections fairly [platform-76]. Nobody waits for company. Which requests share a transaction affects
 * only speed: correctness depends on the locks of the database, as for requests of different processes.
 */
export class WriteRunner {
  readonly #context: Pick<ServiceContext, 'database' | 'clock'>;
  readonly #metrics: Metrics;
  readonly #lines = new Map<string, Line>();
  /** The number of requests that wait or run with an Idempotency-Key. */
  readonly #keys = new Map<string, number>();

  constructor(context: Pick<ServiceContext, 'database' | 'clock'>, metrics: Metrics) {
    this.#context = context;
    this.#metrics = metrics;
    metrics.watchWrites(() =>
      [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0),
    );
  }

  /**
   * Runs a write in one transaction and returns its response once that is committed.
   * @throws ApiError the refusal; TurnError if there was no turn in time; the reason of `gone`; the database's error, also if it
   * is unknown whether the transaction was committed [D43]
   */
  async run(write: Write): Promise<WriteOutcome> {
    const key = keyNameOf(write.keyed);
    const others = key === null ? 0 : (this.#keys.get(key) ?? 0);
    if (key !== null) this.#keys.set(key, others + 1);
    try {
      const outcome = await (write.lock === withoutLock ? this.#now(write) : this.#inLine(write, others > 0));
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    } finally {
      if (key !== null) {
        const left = (this.#keys.get(key) as number) - 1;
        if (left === 0) this.#keys.delete(key);
        else this.#keys.set(key, left);
      }
    }
  }

  #now(write: Write): Promise<WriteOutcome | ApiError> {
    return new Promise((answer, fail) => {
      void this.#runMembers([{ write, answer, fail, leave: () => {}, isLookedUp: true }]).then((settle) =>
        settle(),
      );
    });
  }

  #inLine(write: Write, isInFlight: boolean): Promise<WriteOutcome | ApiError> {
    const name = `${write.lock.name} ${write.brandId}`;
    const line = this.#lines.get(name) ?? { waiting: [], isRunning: false, isSlow: false };
    if (line.waiting.length >= maxWaiting)
      throw new TurnError(`${maxWaiting} writes of the brand are already waiting`);
    return new Promise((resolve, reject) => {
      const since = line.isRunning ? performance.now() : null;
      const stopLimit = limitWait({ limitMs: waitLimitMs, gone: write.gone }, (reason) => {
        remove(line, member);
        reject(reason);
      });
      const leave = () => {
        stopLimit();
        if (since !== null) this.#metrics.writeWaited((performance.now() - since) / 1_000);
      };
      const member: Member = { write, answer: resolve, fail: reject, leave, isLookedUp: false };
      this.#lines.set(name, line);
      line.waiting.push(member);
      if (line.isSlow || (isInFlight && line.isRunning)) this.#lookUp(line, member, isInFlight);
      if (!line.isRunning) void this.#serve(name, line);
    });
  }

  /** Answers a retry from the record of its key, or refuses it, without its turn. */
  #lookUp(line: Line, member: Member, isInFlight: boolean): void {
    const { keyed } = member.write;
    if (keyed === null || member.isLookedUp) return;
    member.isLookedUp = true;
    findReplay(this.#context.database, this.#context.clock, keyed, isInFlight).then(
      (replay) => {
        if (replay !== null && remove(line, member)) member.answer(replay);
      },
      (error: unknown) => {
        if (remove(line, member)) member.fail(error);
      },
    );
  }

  /** Runs turn after turn, until nobody waits. */
  async #serve(name: string, line: Line): Promise<void> {
    line.isRunning = true;
    let answer = () => {};
    while (line.waiting.length > 0) {
      const members = takeMembers(line.waiting);
      const slow = setTimeout(() => {
        line.isSlow = true;
        for (const member of [...line.waiting]) this.#lookUp(line, member, false);
      }, slowTurnMs);
      const turn = this.#runMembers(members);
      // PostgreSQL works on this turn while this process sends the responses of the one before.
      answer();
      answer = await turn;
      clearTimeout(slow);
      line.isSlow = false;
    }
    this.#lines.delete(name);
    answer();
  }

  /** Runs requests in one transaction, or if that fails each in its own. Returns a function that answers them. */
  async #runMembers(members: readonly Member[], isRepeated = false): Promise<() => void> {
    let isDecided = false;
    try {
      const outcomes = await this.#transact(members, () => {
        isDecided = true;
      });
      return () => {
        for (const [n, { answer }] of members.entries()) answer(outcomes[n] as WriteOutcome | ApiError);
      };
    } catch (error) {
      // A commit whose response was lost may have taken effect; the client decides whether to retry [D43].
      const isUnknown = isDecided && isConnectionFailure(error);
      // A constraint shows that a session changed what the request had read, without the lock.
      const mayRepeat = members.length > 1 || (!isRepeated && brokenConstraint(error) !== null);
      if (!mayRepeat || isUnknown || isOutOfTime(error))
        return () => {
          for (const { fail } of members) fail(error);
        };
    }
    this.#metrics.transactionRetried();
    const answers: (() => void)[] = [];
    for (const member of members) answers.push(await this.#runMembers([member], true));
    return () => {
      for (const answer of answers) answer();
    };
  }

  #transact(members: readonly Member[], onDecided: () => void): Promise<(WriteOutcome | ApiError)[]> {
    const writes = members.map(({ write }) => write) as unknown as Writes;
    const [{ operationId, brandId, gone }] = writes;
    const { database, clock } = this.#context;
    this.#metrics.writeTurn(operationId, writes.length);
    return database.forBrand(brandId).transaction(
      async (tx) => {
        const outcomes = await runTurn(tx, writes, clock);
        onDecided();
        return outcomes;
      },
      writes.length === 1 ? { gone, onRetry: () => this.#metrics.transactionRetried() } : { attempts: 1 },
    );
  }
}

/** Takes the next request, and others behind it whose subjects differ, up to one without a subject. */
function takeMembers(waiting: Member[]): Member[] {
  const subjects = new Set<string>();
  const taken: Member[] = [];
  for (const member of [...waiting]) {
    const { subject } = member.write;
    if (taken.length === maxRequests || (subject === null && taken.length > 0)) break;
    if (subject !== null && subjects.has(subject)) continue;
    waiting.splice(waiting.indexOf(member), 1);
    member.leave();
    taken.push(member);
    if (subject === null) break;
    subjects.add(subject);
  }
  return taken;
}

/** Returns false if the request does not wait any more. */
function remove({ waiting }: Line, member: Member): boolean {
  const index = waiting.indexOf(member);
  if (index === -1) return false;
  waiting.splice(index, 1);
  member.leave();
  return true;
}

/** Returns whether the requests timed out waiting for the database: they would only wait as long again. */
function isOutOfTime(error: unknown): boolean {
  return (
    error instanceof TurnError || isLockTimeout(error) || isAnswerTimeout(error) || isStatementTimeout(error)
  );
}
