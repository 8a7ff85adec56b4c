import { isAnswerTimeout, isConnectionFailure, isStatementTimeout } from '../../postgres/sqlstate.ts';
import { TurnError } from '../../postgres/turn-error.ts';
import { RequestLine } from './request-line.ts';

/** A request that waits for a shared transaction, or is in one. */
export interface SharedRequest<T> {
  readonly brandId: number;
  readonly value: T;
  /** Called once the request has to wait. A disconnected client stops waiting. */
  readonly gone?: () => AbortSignal;
}

export interface SharedTransactionsOptions<T, R> {
  /** The most requests in one transaction. */
  readonly maxRequests: number;
  /** Milliseconds after which a waiting request is refused with a TurnError. */
  readonly limitMs: number;
  /**
   * Runs the requests in one transaction and returns one result for each. `onDecided` is called when the requests are
   * decided and only the commit is left.
   */
  readonly run: (values: readonly T[], onDecided: () => void) => Promise<readonly (R | 'alone')[]>;
  readonly onRun?: (requests: number) => void;
  /** Called when a transaction has failed and its requests are to be run alone. */
  readonly onFailed?: () => void;
  /** Milliseconds after which a transaction no longer delays the waiting requests; default 1,000. */
  readonly slowMs?: number;
}

/**
 * A transaction that has taken this long no longer delays the waiting requests, because its connection may hang. The
 * limit is not much shorter, because concurrent transactions find each other's rows locked.
 */
const defaultSlowMs = 1_000;
/** The most transactions at a time, of which all but one are slow. */
const maxAtOnce = 3;

/**
 * Puts requests that arrive during a transaction into the next one [D91]. Without a running transaction, a request
 * starts one, together with those received in the same round of the event loop: no request waits for others to
 * arrive.
 *
 * Which requests share a transaction only affects speed. Correctness depends on the locks of the database, as for
 * requests of different processes.
 */
export class SharedTransactions<T, R> {
  readonly #options: SharedTransactionsOptions<T, R>;
  readonly #line = new RequestLine<Member<T, R>>();
  /** The start of each running transaction, oldest first. */
  readonly #startedAt = new Set<{ readonly at: number }>();
  #isDue = false;
  #slowTimer: NodeJS.Timeout | undefined;

  constructor(options: SharedTransactionsOptions<T, R>) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /**
   * Runs the request in a shared transaction. `alone`: it was not decided and wrote nothing, so run it in a separate
   * transaction.
   * @throws TurnError if there was no turn in time; the reason of `gone`; the database's error if it is unknown
   * whether the transaction was committed
   */
  run({ brandId, value, gone }: SharedRequest<T>): Promise<R | 'alone'> {
    return new Promise((resolve, reject) => {
      const { limitMs } = this.#options;
      this.#line.add(brandId, { value, resolve, reject }, { limitMs, gone }, reject);
      this.#startSoon();
    });
  }

  #startSoon(): void {
    if (this.#isDue || this.#line.length === 0 || !this.#mayStart()) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#mayStart()) this.#start();
    });
  }

  #mayStart(): boolean {
    const [oldest] = this.#startedAt;
    if (oldest === undefined) return true;
    if (this.#startedAt.size >= maxAtOnce) return false;
    const youngest = [...this.#startedAt].at(-1) ?? oldest;
    const { slowMs = defaultSlowMs } = this.#options;
    const leftMs = youngest.at + slowMs - performance.now();
    if (leftMs <= 0) return true;
    this.#slowTimer ??= setTimeout(() => {
      this.#slowTimer = undefined;
      this.#startSoon();
    }, leftMs + 1);
    return false;
  }

  #start(finished = 0): void {
    const members = this.#line.take(this.#size(finished));
    if (members.length === 0) return;
    const started = { at: performance.now() };
    this.#startedAt.add(started);
    this.#options.onRun?.(members.length);
    void this.#run(members).then((settle) => {
      this.#startedAt.delete(started);
      if (this.#startedAt.size === 0) {
        clearTimeout(this.#slowTimer);
        this.#slowTimer = undefined;
      }
      // PostgreSQL works on the next transaction while this process sends the responses of this one.
      if (this.#mayStart()) this.#start(members.length);
      setImmediate(settle);
    });
    // Starts the next one if this one is slow.
    this.#startSoon();
  }

  /**
   * Returns the size of the next transaction. With `finished` requests of a transaction that has just finished, it is half
   * of those that wait and those that finished, whose clients may send others soon: then PostgreSQL works on one half
   * while this process receives and answers the other. One transaction for all of them would let each wait for the other.
   */
  #size(finished: number): number {
    const most = finished === 0 ? this.#line.length : Math.ceil((this.#line.length + finished) / 2);
    return Math.min(this.#options.maxRequests, most);
  }

  /** Runs the requests in one transaction. Returns the function that settles them. */
  async #run(members: readonly Member<T, R>[]): Promise<() => void> {
    let isDecided = false;
    try {
      const results = await this.#options.run(
        members.map(({ value }) => value),
        () => {
          isDecided = true;
        },
      );
      return () => {
        for (const [index, { resolve }] of members.entries()) resolve(results[index] as R | 'alone');
      };
    } catch (error) {
      // A commit whose response was lost may have taken effect; the client decides whether to retry [D43].
      const isUnknown = isDecided && isConnectionFailure(error);
      const isFinal = isUnknown || isOutOfTime(error);
      return () => {
        if (!isFinal) this.#options.onFailed?.();
        for (const { resolve, reject } of members) isFinal ? reject(error) : resolve('alone');
      };
    }
  }
}

/** Returns whether the requests timed out waiting for the database: they would only wait as long again. */
function isOutOfTime(error: unknown): boolean {
  return error instanceof TurnError || isAnswerTimeout(error) || isStatementTimeout(error);
}

interface Member<T, R> {
  readonly value: T;
  readonly resolve: (result: R | 'alone') => void;
  readonly reject: (reason: unknown) => void;
}
