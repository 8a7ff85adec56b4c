import { findReplay } from '../../access/idempotency/keyed-request.ts';
import type { ServiceContext } from '../../api/operation.ts';
import type { WriteOutcome } from '../../api/reply.ts';
import { ApiError } from '../../errors/api-error.ts';
import { atEndOfTurn } from '../../lib/end-of-turn.ts';
import { limitWait, TurnError } from '../../lib/limit-wait.ts';
import {
  brokenConstraint,
  isAnswerTimeout,
  isConnectionFailure,
  isLockTimeout,
  isStatementTimeout,
} from '../../postgres/sqlstate.ts';
import type { Metrics } from '../metrics.ts';
import { runSet, type SetOutcome } from './run-set.ts';
import { type TakenSet, type Waiting, WriteLine } from './write-line.ts';
import { keyNameOf, laneOf, type WriteRequest } from './write-request.ts';

const maxRequests = 32;
/** The most sets under way: PostgreSQL works on one while this process receives and answers the requests of the other. */
const maxSets = 2;
/** The fewest requests that are divided between two sets. */
const undivided = 8;
/** Milliseconds after which a set that waits for its brand's lock counts as blocked, and no longer as one of them. */
const slowSetMs = 20;
/**
 * Milliseconds that a set of several brands waits for a row: only sessions other than Brandport's lock rows without the brand's.
 * Then the set fails, and its requests run alone.
 */
const foreignLockMs = 25;
/** Milliseconds that a request may wait for its turn. */
const waitLimitMs = 25_000;

type Writes = readonly [WriteRequest, ...WriteRequest[]];

interface Member extends Waiting {
  readonly lane: string;
  readonly settle: (outcome: WriteOutcome | ApiError) => void;
}

/**
 * Runs the writes of the client API [D217]: requests wait in one line, and those of one operation that can run share a
 * transaction. Nobody waits for company. Which requests share one affects only speed; correctness depends on the locks of the
 * database, as for requests of different processes.
 */
export class Writer {
  readonly #context: ServiceContext;
  readonly #metrics: Metrics;
  readonly #line = new WriteLine();
  readonly #keys = new Map<string, number>();
  /** Starts sets at the end of a turn of the event loop, with all requests that it brings. */
  readonly #startAtEnd = () => this.#start();
  #sets = 0;

  constructor(context: ServiceContext, metrics: Metrics) {
    this.#context = context;
    this.#metrics = metrics;
    metrics.watchWrites(() => this.#line.waiting);
  }

  /**
   * Runs a write in one transaction and returns its response once that is committed.
   * @throws ApiError the refusal; TurnError if there was no turn in time; the reason of `gone`; the database's error, also if it
   * is unknown whether the transaction was committed [D43]
   */
  async run(write: WriteRequest): Promise<WriteOutcome> {
    const lane = laneOf(write);
    const key = keyNameOf(write.keyed);
    const isInFlight = key !== null && this.#keys.has(key);
    if (key !== null) this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1);
    try {
      const outcome =
        lane === null ? await this.#transact([write], true) : await this.#inLine(lane, write, isInFlight);
      const [only] = Array.isArray(outcome) ? outcome : [outcome];
      if (only instanceof ApiError) throw only;
      return only as WriteOutcome;
    } finally {
      if (key !== null) {
        const left = (this.#keys.get(key) as number) - 1;
        if (left === 0) this.#keys.delete(key);
        else this.#keys.set(key, left);
      }
    }
  }

  #inLine(lane: string, write: WriteRequest, isInFlight: boolean): Promise<WriteOutcome | ApiError> {
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        this.#line.remove(lane, member);
        member.leave();
        reject(reason);
      };
      let since = this.#line.isBusy(lane) ? performance.now() : null;
      const stopLimit = limitWait({ limitMs: waitLimitMs, gone: write.gone }, giveUp);
      const member: Member = {
        write,
        lane,
        mustBeAlone: false,
        giveUp,
        settle: resolve,
        leave: () => {
          stopLimit();
          if (since !== null) this.#metrics.writeWaited((performance.now() - since) / 1_000);
          since = null;
        },
      };
      const mayWaitLong = this.#line.isBlocked(lane) || (isInFlight && this.#line.isBusy(lane));
      try {
        this.#line.add(lane, member);
      } catch (error) {
        return giveUp(error);
      }
      if (mayWaitLong) this.#lookUp(member, isInFlight);
      atEndOfTurn(this.#startAtEnd);
    });
  }

  /** Answers a retry from the record of its key, or refuses it, without its turn. */
  #lookUp(member: Member, isInFlight: boolean): void {
    const { keyed } = member.write;
    if (keyed === null) return;
    findReplay(this.#context.database, this.#context.clock, keyed, isInFlight).then(
      (replay) => {
        if (replay === null) return;
        this.#line.remove(member.lane, member);
        member.leave();
        member.settle(replay);
      },
      (error: unknown) => member.giveUp(error),
    );
  }

  #start(finished = 0): void {
    for (let set = this.#line.takeAlone(maxRequests); set !== null; set = this.#line.takeAlone(maxRequests))
      void this.#runTaken(set, { waits: true, isCounted: false });
    while (this.#sets < maxSets) {
      const set = this.#line.takeShared(this.#size(finished));
      if (set === null) return;
      // A set of one brand harms nobody by waiting for its lock.
      void this.#runTaken(set, { waits: set.lanes.length === 1, isCounted: true });
    }
  }

  /**
   * Returns the size of the next set. Of a single lane it is half of the requests that wait and of those `finished` just now,
   * whose clients may send others soon: PostgreSQL works on one half while this process receives and answers the other.
   */
  #size(finished: number): number {
    if (!this.#line.isOfOneLane) return maxRequests;
    const half = Math.ceil((this.#line.waiting + finished) / 2);
    return Math.min(maxRequests, Math.max(undivided, half));
  }

  /** Runs a set; what could not be decided goes back to the line. */
  async #runTaken(
    set: TakenSet,
    { waits, isCounted }: { readonly waits: boolean; readonly isCounted: boolean },
  ): Promise<void> {
    let counted = Number(isCounted);
    this.#sets += counted;
    const uncount = () => {
      this.#sets -= counted;
      counted = 0;
    };
    const timer = setTimeout(() => {
      if (!waits) return;
      uncount();
      for (const member of this.#line.block(set)) this.#lookUp(member as Member, false);
      this.#start();
    }, slowSetMs);
    const members = set.members as readonly Member[];
    const settled = await this.#outcomesOf(members, waits);
    for (const [index, member] of [...members.entries()].reverse()) {
      const outcome = settled[index] as Settled;
      if (outcome === 'blocked' || outcome === 'failed') {
        member.mustBeAlone ||= outcome === 'failed';
        this.#line.putBack(member.lane, member, { isBlocked: outcome === 'blocked' });
      }
    }
    clearTimeout(timer);
    uncount();
    if (waits) this.#line.unblock(set);
    this.#line.release(set);
    // PostgreSQL works on the next set while this process sends the responses of this one.
    this.#start(members.length);
    for (const [index, member] of members.entries()) {
      const outcome = settled[index] as Settled;
      if (outcome === 'blocked' || outcome === 'failed') continue;
      if ('error' in outcome) member.giveUp(outcome.error);
      else member.settle(outcome);
    }
  }

  /**
   * `failed`: the transaction wrote nothing, and each of its requests runs alone: it was of several requests, or something that
   * the request had read was changed without the brand's lock, which a constraint noticed.
   */
  async #outcomesOf(members: readonly Member[], waits: boolean): Promise<Settled[]> {
    const writes = members.map(({ write }) => write) as unknown as Writes;
    const isLast = members.some(({ mustBeAlone }) => mustBeAlone);
    let isDecided = false;
    try {
      return await this.#transact(writes, waits, () => {
        isDecided = true;
      });
    } catch (error) {
      // A commit whose response was lost may have taken effect; the client decides whether to retry [D43].
      const isUnknown = isDecided && isConnectionFailure(error);
      const mayRepeat = writes.length > 1 || (brokenConstraint(error) !== null && !isLast);
      const isFinal = !mayRepeat || isUnknown || isOutOfTime(error) || (waits && isLockTimeout(error));
      if (!isFinal) this.#metrics.transactionRetried();
      return writes.map(() => (isFinal ? { error } : 'failed'));
    }
  }

  #transact(writes: Writes, waits: boolean, onDecided = () => {}): Promise<SetOutcome[]> {
    const [{ operation, brandId, gone }] = writes;
    const { database } = this.#context;
    const isOne = writes.length === 1;
    const connections = waits ? database.forBrand(brandId) : database.forShare(operation.id);
    this.#metrics.writeSet(operation.id, writes.length);
    return connections.transaction(
      async (tx) => {
        const outcomes = await runSet(tx, writes, { waits, context: this.#context });
        onDecided();
        return outcomes;
      },
      {
        ...(isOne ? { gone, onRetry: () => this.#metrics.transactionRetried() } : { attempts: 1 }),
        ...(!waits && { lockLimitMs: foreignLockMs }),
      },
    );
  }
}

type Settled = WriteOutcome | ApiError | 'blocked' | 'failed' | { readonly error: unknown };

/** Returns whether the requests timed out waiting for the database: they would only wait as long again. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof TurnError || isAnswerTimeout(error) || isStatementTimeout(error);
}
