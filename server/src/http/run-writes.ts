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
import { type Line, Lines, type Member } from './write-queues.ts';
import { type BrandWrite, type Outcome, runTurn, withoutLock } from './write-turn.ts';

/** Turns that run at once for each kind of lock: one of them waits for the disk while the other one works. */
const turnsAtOnce = 2;
/** Further requests of a line are refused at once: they would only fill the memory. */
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
  /** The request runs again, after a transaction that failed. */
  readonly isRepeated?: boolean;
}

/**
 * Runs the writes of the client API [D297]. Each brand and lock has a line, served in order of arrival. A turn, a transaction
 * with requests of many lines, waits for no brand's lock; one of a single brand, for what may take long, does. No cycle can
 * form: one that waits for a brand's lock holds no other but the same brand's catalog, before its stock. Correctness depends
 * on the locks of the database alone.
 */
export class WriteRunner {
  readonly #context: Pick<ServiceContext, 'database' | 'clock'>;
  readonly #metrics: Metrics;
  /** The lines of each lock, by its name. */
  readonly #lines = new Map<string, Lines>();
  /** The number of requests that wait or run with an Idempotency-Key. */
  readonly #keys = new Map<string, number>();

  constructor(context: Pick<ServiceContext, 'database' | 'clock'>, metrics: Metrics) {
    this.#context = context;
    this.#metrics = metrics;
    metrics.watchWrites(() => [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting, 0));
  }

  /**
   * Runs a write in one transaction and returns its response once that is committed.
   * @throws ApiError the refusal; TurnError if there was no turn in time; the reason of `gone`; the database's error, also if it
   * is unknown whether the transaction was committed [D43]
   */
  async run(write: BrandWrite): Promise<WriteOutcome> {
    const key = write.keyed && nameScope(write.keyed.scope);
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

  #now(write: BrandWrite): Promise<WriteOutcome | ApiError> {
    return new Promise((answer, fail) => {
      const member = { write, answer, fail, leave: () => {}, isWaiting: false, isLookedUp: true };
      void this.#runMembers([member]).then((settle) => settle());
    });
  }

  #inLine(write: BrandWrite, isInFlight: boolean): Promise<WriteOutcome | ApiError> {
    const lines = this.#lines.get(write.lock.name) ?? new Lines();
    this.#lines.set(write.lock.name, lines);
    const line = lines.of(write.brandId);
    if (line.waiting.length >= maxWaiting)
      throw new TurnError(`${maxWaiting} writes of the brand are already waiting`);
    return new Promise((answer, fail) => {
      let since: number | null = null;
      const stopLimit = limitWait({ limitMs: waitLimitMs, gone: write.gone }, (reason) => {
        line.remove(member);
        fail(reason);
      });
      const leave = () => {
        stopLimit();
        if (since !== null) this.#metrics.writeWaited((performance.now() - since) / 1_000);
      };
      const member: Member = { write, answer, fail, leave, isWaiting: true, isLookedUp: false };
      lines.add(line, member);
      if (line.isSlow || isInFlight) this.#lookUp(line, member, isInFlight);
      if (!line.isRunning) this.#serve(lines, line);
      if (member.isWaiting) since = performance.now();
    });
  }

  /** Answers a retry from the record of its key, or refuses it, without its turn. */
  #lookUp(line: Line, member: Member, isInFlight: boolean): void {
    const { keyed } = member.write;
    if (keyed === null || member.isLookedUp) return;
    member.isLookedUp = true;
    const { database, clock } = this.#context;
    findReplay(database.forBrand(line.brandId), clock, keyed, isInFlight).then(
      (replay) => {
        if (replay !== null && line.remove(member)) member.answer(replay);
      },
      (error: unknown) => {
        if (line.remove(member)) member.fail(error);
      },
    );
  }

  /** Lets the requests of a line that is not running run, or wait for their turn. */
  #serve(lines: Lines, line: Line): void {
    line.isRunning = false;
    if (line.waiting.length === 0) lines.forget(line);
    else if (line.isShareable) {
      lines.addToRotation(line);
      if (lines.turns < turnsAtOnce) void this.#runTurns(lines);
    } else {
      const members = line.takeOne();
      void this.#runOwn(lines, line, () => this.#runMembers(members));
    }
  }

  /** Runs turn after turn, until no line waits for one. */
  async #runTurns(lines: Lines): Promise<void> {
    lines.turns += 1;
    let answer = () => {};
    for (let turn = lines.takeTurn(); turn.size > 0; turn = lines.takeTurn()) {
      const running = this.#runTurn(lines, turn);
      // PostgreSQL works on this turn while this process sends the responses of the one before.
      answer();
      answer = await running;
    }
    lines.turns -= 1;
    answer();
  }

  /** Runs a shared transaction. Returns a function that answers its requests, except for those that go on in another one. */
  async #runTurn(lines: Lines, turn: ReadonlyMap<Line, readonly Member[]>): Promise<() => void> {
    const all = [...turn.values()].flat();
    // All that waited may have left.
    if (all.length === 0) {
      for (const line of turn.keys()) this.#serve(lines, line);
      return () => {};
    }
    const result = await this.#attempt(all, { waits: false });
    if ('error' in result && result.mayRepeat) {
      this.#metrics.transactionRetried();
      // The requests of a line that has just failed alone would fail together again, unless they wait for what they did not get.
      const isTogether = turn.size > 1 || isLockTimeout(result.error);
      for (const [line, members] of turn)
        void this.#runOwn(lines, line, () =>
          isTogether ? this.#runMembers(members, true) : this.#runEach(members),
        );
      return () => {};
    }
    for (const [line, members] of turn) {
      const left = 'error' in result ? [] : members.filter((member) => result.get(member) === 'another');
      if (left.length === 0) this.#serve(lines, line);
      else {
        const company = line.takeShareable({ others: left.length });
        void this.#runOwn(lines, line, () => this.#runMembers([...left, ...company]));
      }
    }
    return answersOf(all, result);
  }

  /** Runs requests of a line, which waits meanwhile, and answers them. */
  async #runOwn(lines: Lines, line: Line, run: () => Promise<() => void>): Promise<void> {
    line.isRunning = true;
    const slow = setTimeout(() => {
      line.isSlow = true;
      for (const member of [...line.waiting]) this.#lookUp(line, member, false);
    }, slowMs);
    const answer = await run();
    clearTimeout(slow);
    line.isSlow = false;
    this.#serve(lines, line);
    answer();
  }

  /** Runs requests of a brand in one transaction, or if that fails each in its own. Returns a function that answers them. */
  async #runMembers(members: readonly Member[], isRepeated = false): Promise<() => void> {
    const result = await this.#attempt(members, { waits: true, isRepeated });
    if (!('error' in result && result.mayRepeat)) return answersOf(members, result);
    this.#metrics.transactionRetried();
    return this.#runEach(members);
  }

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
