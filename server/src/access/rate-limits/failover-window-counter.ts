import type { Log } from '../../lib/log.ts';
import { createMemoryWindowCounter } from './memory-window-counter.ts';
import { createRedisClient, type RedisWindowClient } from './redis-client.ts';
import { withinRunningTime } from './running-time.ts';
import type { Bucket, RateLimitTiming, Verdict, WindowCounter } from './window-counter.ts';

/**
 * Counts in Redis, and in this process while Redis is unavailable [D10]: after any failure (connection, error reply,
 * timeout), until a new connection responds. Each process then admits the full limit, once per window even if Redis comes and
 * goes. A request in flight during the failure may count in both places.
 */
export class FailoverWindowCounter implements WindowCounter {
  readonly #url: string;
  readonly #timing: RateLimitTiming;
  readonly #log: Log;
  readonly #memory: WindowCounter;
  #client: RedisWindowClient | null = null;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #inUseSince = 0;
  #awaySince = 0;
  /** The number of consecutive connections that were lost before they counted as stable. */
  #unstable = 0;

  private constructor(url: string, timing: RateLimitTiming, log: Log) {
    this.#url = url;
    this.#timing = timing;
    this.#log = log;
    this.#memory = createMemoryWindowCounter(timing.windowMs);
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  /** Tries to connect to Redis once. Returns, connected or not, after at most `connectLimitMs` of running time. */
  static async start(url: string, timing: RateLimitTiming, log: Log): Promise<FailoverWindowCounter> {
    const counter = new FailoverWindowCounter(url, timing, log);
    const failure = await counter.#connect();
    if (failure !== null) {
      counter.#logAway(failure);
      counter.#scheduleRetry();
    }
    return counter;
  }

  /** Never rejects; waits for Redis no longer than `answerLimitMs` of this process's running time. */
  async take(buckets: readonly Bucket[]): Promise<Verdict> {
    const client = this.#client;
    if (client !== null) {
      try {
        const { windowMs, answerLimitMs } = this.#timing;
        return await withinRunningTime(client.take(buckets, windowMs), answerLimitMs);
      } catch (error) {
        this.#lose(client, error);
      }
    }
    return this.#memory.take(buckets);
  }

  /** Closes the connection; later requests are counted in this process. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#client?.destroy();
    this.#client = null;
  }

  async #connect(): Promise<unknown> {
    const { connectLimitMs, answerLimitMs, windowMs } = this.#timing;
    const client: RedisWindowClient = createRedisClient(this.#url, {
      connectLimitMs,
      onLoss: (error) => this.#lose(client, error),
    });
    let givenUp = false;
    const ready = client.connect().then(async () => {
      // A client that is destroyed while it connects opens its TCP connection nevertheless (redis 6.3).
      if (givenUp) client.destroy();
      // Uses the request timeout: a Redis that is too slow for requests stays unavailable.
      else await withinRunningTime(client.probe(windowMs), answerLimitMs);
    });
    try {
      await withinRunningTime(ready, connectLimitMs);
      if (this.#closed) throw new Error('closed');
      this.#client = client;
      this.#inUseSince = performance.now();
      return null;
    } catch (error) {
      givenUp = true;
      client.destroy();
      return error;
    }
  }

  #lose(client: RedisWindowClient, error: unknown): void {
    // All requests in flight fail together; only the first failure is handled. #connect handles a connection that is
    // not in use yet.
    if (this.#client !== client) return;
    this.#client = null;
    client.destroy();
    this.#logAway(error);
    const isUnstable = performance.now() - this.#inUseSince < this.#timing.stableAfterMs;
    this.#unstable = isUnstable ? this.#unstable + 1 : 0;
    this.#scheduleRetry();
  }

  /** Each loss delays the requests in flight by up to `answerLimitMs`, so an unstable Redis is tried less and less often. */
  #scheduleRetry(): void {
    if (this.#closed) return;
    const { retryDelayMs, maxRetryDelayMs } = this.#timing;
    const pauseMs = Math.min(retryDelayMs * 2 ** Math.max(0, this.#unstable - 1), maxRetryDelayMs);
    this.#retry = setTimeout(async () => {
      const failure = await this.#connect();
      if (failure !== null) this.#scheduleRetry();
      else {
        const seconds = Math.round((performance.now() - this.#awaySince) / 1_000);
        this.#log('info', `Redis available again after ${seconds} s: rate limits are shared through Redis`);
      }
    }, pauseMs);
    this.#retry.unref();
  }

  #logAway(error: unknown): void {
    this.#awaySince = performance.now();
    const reason = describeRedisFailure(error);
    this.#log('error', `Redis unavailable (${reason}): rate limits are counted per process`);
  }
}

/** Describes a failure of Redis without its message: Redis quotes commands, and AUTH contains a password. */
function describeRedisFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const replyWord = /^[A-Z]{3,}(?= )/.exec(error.message)?.[0];
  return replyWord ?? error.constructor.name;
}
