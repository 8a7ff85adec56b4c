import { nameScope } from '../access/idempotency/idempotency-store.ts';
import { findReplay } from '../access/idempotency/keyed-request.ts';
import type { ServiceContext } from '../api/operation.ts';
import type { WriteOutcome } from '../api/reply.ts';
import { ApiError } from '../errors/api-error.ts';
import { limitWait, TurnError } from '../lib/turn-wait.ts';
import {
  brokenConstraint,
  isAnswerTimeout,
  isConnectionFailure,
  isConnectionLost,
  isLockTimeout,
  isRetryable,
  isStatementTimeout,
} from '../postgres/database-errors.ts';
import type { Metrics } from './metrics.ts';
import { type Member, type WriteQueue, WriteQueues } from './write-queues.ts';
import { type BrandWrite, type Outcome, runTurn, withoutLock } from './write-turn.ts';

/** Turns that run at once for each kind of lock: one of them waits for the disk while the other one works. */
const turnsAtOnce = 2;
/** Further requests of a queue are refused at once: they would only fill the memory. */
const maxWaiting = 1_000;
/** Milliseconds after which a transaction counts as slow: it may wait for a feed. */
const slowMs = 20;
/** Milliseconds that a request may wait for its turn. */
const waitLimitMs = 25_000;

/** A transaction that failed, and whether its requests may run again, each in a separate transaction. */
interface Failure {
  readonly error: unknown;
  readonly mayRepeat: boolean;
}

interface AttemptOptions {
  /** See `runTurn`. */
  readonly waits: boolean;
  /** The last attempt: a broken constraint is no reason for another one. */
  readonly isRepeated?: boolean;
}

/**
 * Runs the writes of the client API [D297]. Each brand and lock has a queue, served in order of arrival. A turn is a transaction
 * with requests of many queues; it waits for no brand's lock. What may take long has a transaction of a single brand, which
 * waits. No cycle can form: such a transaction holds no other lock but the same brand's catalog, before its stock. Correctness
 * depends on the locks of the database alone.
 */
export class WriteRunner {
  readonly #context: Pick<ServiceContext, 'database' | 'clock'>;
  readonly #metrics: Metrics;
  /** The queues of each lock, by its name. */
  readonly #queues = new Map<string, WriteQueues>();
  /** The number of requests that wait or run with an Idempotency-Key, by its name. */
  readonly #keysInUse = new Map<string, number>();

  constructor(context: Pick<ServiceContext, 'database' | 'clock'>, metrics: Metrics) {
    this.#context = context;
    this.#metrics = metrics;
    metrics.watchWrites(() => [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting, 0));
  }

  /**
   * Runs a write in one transaction and returns its response once that is committed.
   * @throws ApiError the refusal; TurnError if there was no turn in time; the reason of `gone`; the database's error, also if it
   * is unknown whether the transaction was committed [D43]
   */
  async run(write: BrandWrite): Promise<WriteOutcome> {
    const key = write.keyed && nameScope(write.keyed.scope);
    const isInFlight = key !== null && this.#keysInUse.has(key);
    if (key !== null) this.#countKey(key, 1);
    try {
      const outcome = await (write.lock === withoutLock
        ? this.#runNow(write)
        : this.#runInQueue(write, isInFlight));
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    } finally {
      if (key !== null) this.#countKey(key, -1);
    }
  }

  #countKey(key: string, difference: 1 | -1): void {
    const count = (this.#keysInUse.get(key) ?? 0) + difference;
    if (count === 0) this.#keysInUse.delete(key);
    else this.#keysInUse.set(key, count);
  }

  /** Runs a write that takes no lock of a brand. */
  #runNow(write: BrandWrite): Promise<WriteOutcome | ApiError> {
    return new Promise((answer, fail) => {
      const member = { write, answer, fail, leave: () => {}, isWaiting: false, isLookedUp: true };
      void this.#runMembers([member]).then((settle) => settle());
    });
  }

  /** Runs a write when it is its turn. `isInFlight`: another request with its key waits or runs in this process. */
  #runInQueue(write: BrandWrite, isInFlight: boolean): Promise<WriteOutcome | ApiError> {
    const queues = this.#queues.get(write.lock.name) ?? new WriteQueues();
    this.#queues.set(write.lock.name, queues);
    const queue = queues.of(write.brandId);
    if (queue.waiting.length >= maxWaiting)
      throw new TurnError(`${maxWaiting} writes of the brand are already waiting`);
    return new Promise((answer, fail) => {
      let since: number | null = null;
      const stopLimit = limitWait({ limitMs: waitLimitMs, gone: write.gone }, (reason) => {
        queue.remove(member);
        fail(reason);
      });
      const leave = () => {
        stopLimit();
        if (since !== null) this.#metrics.writeWaited((performance.now() - since) / 1_000);
      };
      const member: Member = { write, answer, fail, leave, isWaiting: true, isLookedUp: false };
      queues.add(queue, member);
      if (queue.isSlow || isInFlight) this.#lookUp(queue, member, isInFlight);
      if (!queue.isRunning) this.#serve(queues, queue);
      if (member.isWaiting) since = performance.now();
    });
  }

  /** Answers a retry from the record of its key, or refuses it, without its turn. */
  #lookUp(queue: WriteQueue, member: Member, isInFlight: boolean): void {
    const { keyed } = member.write;
    if (keyed === null || member.isLookedUp) return;
    member.isLookedUp = true;
    const { database, clock } = this.#context;
    findReplay(database.forBrand(queue.brandId), clock, keyed, isInFlight).then(
      (replay) => {
        if (replay !== null && queue.remove(member)) member.answer(replay);
      },
      (error: unknown) => {
        if (queue.remove(member)) member.fail(error);
      },
    );
  }

  /** Lets the requests of a queue that is not running run, or wait for their turn. */
  #serve(queues: WriteQueues, queue: WriteQueue): void {
    queue.isRunning = false;
    if (queue.waiting.length === 0) queues.forget(queue);
    else if (queue.isShareable) {
      queues.addToRotation(queue);
      if (queues.turns < turnsAtOnce) void this.#runTurns(queues);
    } else {
      const members = queue.takeOne();
      void this.#runOwn(queues, queue, () => this.#runMembers(members));
    }
  }

  /** Runs turn after turn, until no queue waits for one. */
  async #runTurns(queues: WriteQueues): Promise<void> {
    queues.turns += 1;
    let answer = () => {};
    for (let turn = queues.takeTurn(); turn.size > 0; turn = queues.takeTurn()) {
      const running = this.#runTurn(queues, turn);
      // PostgreSQL works on this turn while this process sends the responses of the one before.
      answer();
      answer = await running;
    }
    queues.turns -= 1;
    answer();
  }

  /** Runs a shared transaction. Returns a function that answers its requests, except for those that go on in another one. */
  async #runTurn(queues: WriteQueues, turn: ReadonlyMap<WriteQueue, readonly Member[]>): Promise<() => void> {
    const all = [...turn.values()].flat();
    // All that waited may have left.
    if (all.length === 0) {
      for (const queue of turn.keys()) this.#serve(queues, queue);
      return () => {};
    }
    const result = await this.#attempt(all, { waits: false });
    if ('error' in result && result.mayRepeat) {
      this.#metrics.transactionRetried();
      // The requests of a queue that has just failed alone would fail together again, unless they wait for what they did not get.
      const isTogether = turn.size > 1 || isLockTimeout(result.error);
      for (const [queue, members] of turn)
        void this.#runOwn(queues, queue, () =>
          isTogether ? this.#runMembers(members) : this.#runEach(members),
        );
      return () => {};
    }
    for (const [queue, members] of turn) {
      const left = 'error' in result ? [] : members.filter((member) => result.get(member) === 'another');
      if (left.length === 0) this.#serve(queues, queue);
      else {
        const joining = queue.takeShareable({ others: left.length });
        void this.#runOwn(queues, queue, () => this.#runMembers([...left, ...joining]));
      }
    }
    return answersOf(all, result);
  }

  /** Runs requests of a queue, which waits meanwhile, and answers them. */
  async #runOwn(queues: WriteQueues, queue: WriteQueue, run: () => Promise<() => void>): Promise<void> {
    queue.isRunning = true;
    const slow = setTimeout(() => {
      queue.isSlow = true;
      for (const member of [...queue.waiting]) this.#lookUp(queue, member, false);
    }, slowMs);
    const answer = await run();
    clearTimeout(slow);
    queue.isSlow = false;
    this.#serve(queues, queue);
    answer();
  }

  /** Runs requests of a brand in one transaction, or if that fails each in its own. Returns a function that answers them. */
  async #runMembers(members: readonly Member[], isRepeated = false): Promise<() => void> {
    const result = await this.#attempt(members, { waits: true, isRepeated });
    if (!('error' in result && result.mayRepeat)) return answersOf(members, result);
    this.#metrics.transactionRetried();
    return this.#runEach(members);
  }

  /** Runs each request in its own transaction, one after another. Returns a function that answers them. */
  async #runEach(members: readonly Member[]): Promise<() => void> {
    const answers: (() => void)[] = [];
    for (const member of members) answers.push(await this.#runMembers([member], true));
    return () => {
      for (const answer of answers) answer();
    };
  }

  /** Runs requests in one transaction. Returns the outcome of each. */
  async #attempt(
    members: readonly Member[],
    { waits, isRepeated = false }: AttemptOptions,
  ): Promise<ReadonlyMap<Member, Outcome> | Failure> {
    const writes = members.map(({ write }) => write) as unknown as readonly [BrandWrite, ...BrandWrite[]];
    const [{ operationId, brandId, lock, gone }, ...others] = writes;
    const isAlone = others.length === 0;
    const { database, clock } = this.#context;
    this.#metrics.writeTurn(operationId, writes.length);
    let isDecided = false;
    try {
      const outcomes = await database.forOwner(waits ? brandId : lock.name).transaction(
        async (tx) => {
          const decided = await runTurn(tx, writes, clock, { waits });
          isDecided = true;
          return decided;
        },
        {
          ...(isAlone && { gone }),
          ...(isAlone && waits ? { onRetry: () => this.#metrics.transactionRetried() } : { attempts: 1 }),
        },
      );
      return new Map(members.map((member, n) => [member, outcomes[n] as Outcome]));
    } catch (error) {
      // A commit whose response was lost may have taken effect; the client decides whether to retry [D43].
      const isUnknown = isDecided && isConnectionFailure(error);
      // A constraint shows that a session changed what the request had read, without the lock.
      const isRepeatable =
        !isAlone ||
        (!isRepeated && brokenConstraint(error) !== null) ||
        (!waits && (isRetryable(error) || isConnectionLost(error) || isLockTimeout(error)));
      const isInVain = isOutOfTime(error) && (waits || !isLockTimeout(error));
      return { error, mayRepeat: isRepeatable && !isUnknown && !isInVain };
    }
  }
}

/** Returns a function that answers requests by the result of their transaction, except for those that go on in another one. */
function answersOf(members: readonly Member[], result: ReadonlyMap<Member, Outcome> | Failure): () => void {
  return () => {
    for (const member of members)
      if ('error' in result) member.fail(result.error);
      else {
        const outcome = result.get(member) as Outcome;
        if (outcome !== 'another') member.answer(outcome);
      }
  };
}

/** Returns whether the requests timed out waiting for the database: they would only wait as long again. */
function isOutOfTime(error: unknown): boolean {
  return (
    error instanceof TurnError || isLockTimeout(error) || isAnswerTimeout(error) || isStatementTimeout(error)
  );
}
