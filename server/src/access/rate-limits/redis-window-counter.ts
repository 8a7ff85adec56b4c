import { performance } from 'node:perf_hooks';
import { createClient, defineScript } from 'redis';
import type { Log } from '../../lib/log.ts';
import {
  type Bucket,
  createMemoryWindowCounter,
  type RateLimitTiming,
  type Verdict,
  type WindowCounter,
  type WindowState,
} from './window-counter.ts';

/** A timer that is late by more than this, in milliseconds, means that the process itself was blocked. */
const standstillMs = 25;
/** The maximum number of restarts of the timer after a blocked process, so that the wait is bounded. */
const maxTurns = 4;

/** The response did not arrive in time. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime';
}

/**
 * Limits the wait for a response of another process, counting only the time in which this process could receive it: a plain timer
 * fires, after long synchronous work, before the responses in the socket are read. Takes up to four times `limitMs` if this
 * process was blocked.
 * @throws NoAnswerInTime if the time is over; otherwise the rejection of the response itself
 */
export function withinRunningTime<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let timer: NodeJS.Timeout | undefined;

    function startTurn(turn: number): void {
      const due = performance.now() + limitMs;
      timer = setTimeout(() => {
        const stoodStill = performance.now() - due > standstillMs;
        // Sockets are read between timers and immediates, which gives a response that has already arrived a last chance.
        setImmediate(() => {
          if (settled) return;
          if (stoodStill && turn < maxTurns) startTurn(turn + 1);
          else reject(new NoAnswerInTime());
        });
      }, limitMs);
      timer.unref();
    }

    startTurn(1);
    answer.then(resolve, reject).finally(() => {
      settled = true;
      clearTimeout(timer);
    });
  });
}

/**
 * Checks all buckets and counts in all of them or in none, in one round trip. The end of a window is stored by the clock of
 * Redis, so that all processes report the same reset. A window that is longer than allowed (the clock was set back) counts as
 * over.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local length = tonumber(ARGV[1])
local used, ends, admitted = {}, {}, 1
for i, key in ipairs(KEYS) do
  local window = redis.call('HMGET', key, 'used', 'ends')
  used[i], ends[i] = tonumber(window[1] or 0), tonumber(window[2] or 0)
  if ends[i] <= now or ends[i] > now + length then
    used[i], ends[i] = 0, now + length
  end
  if used[i] >= tonumber(ARGV[i + 1]) then admitted = 0 end
end
local reply = { admitted, now }
for i, key in ipairs(KEYS) do
  if admitted == 1 then
    used[i] = used[i] + 1
    local stamp = string.format('%.0f', ends[i])
    redis.call('HSET', key, 'used', used[i], 'ends', stamp)
    if used[i] == 1 then redis.call('PEXPIREAT', key, stamp) end
  end
  reply[#reply + 1] = used[i]
  reply[#reply + 1] = ends[i]
end
return reply
`;

/** Decides and counts in one step, so that limits are exact across processes [platform-56]. */
const windowScripts = {
  take: defineScript({
    SCRIPT: takeScript,
    parseCommand(parser, buckets: readonly Bucket[], windowMs: number) {
      parser.pushKeysLength(buckets.map(({ key }) => key));
      parser.push(String(windowMs), ...buckets.map(({ limit }) => String(limit)));
    },
    transformReply([admitted, now, ...figures]: number[]): Verdict {
      const windows: WindowState[] = [];
      for (let at = 0; at + 1 < figures.length; at += 2) {
        windows.push({ used: figures[at] ?? 0, endsAt: figures[at + 1] ?? 0 });
      }
      return { admitted: admitted === 1, now: now ?? 0, windows };
    },
  }),
};

/** A client that is not connected yet. It never reconnects to a server that it lost; its owner creates a new one. */
export interface RedisWindowClient {
  connect(): Promise<unknown>;
  /** Counts a request without a limit, to check that the server runs the script and accepts writes. */
  probe(windowMs: number): Promise<unknown>;
  take(buckets: readonly Bucket[], windowMs: number): Promise<Verdict>;
  destroy(): void;
}

export interface RedisClientOptions {
  /** The time limit of the TCP (and TLS) connection, in milliseconds. */
  readonly connectLimitMs: number;
  /** Receives the loss of the server, even if no request is under way. Further calls mean nothing new. */
  readonly onLoss: (error: unknown) => void;
}

/** Nothing reads its key. */
const probeBuckets: readonly Bucket[] = [{ key: 'brandport:limit:{probe}', limit: Number.MAX_SAFE_INTEGER }];

function createRedisClient(url: string, { connectLimitMs, onLoss }: RedisClientOptions): RedisWindowClient {
  const client = createClient({
    // Every Redis, Valkey and proxy supports RESP 2.
    RESP: 2,
    disableOfflineQueue: true,
    url,
    socket: { connectTimeout: connectLimitMs, reconnectStrategy: false },
    scripts: windowScripts,
  });
  client.on('error', onLoss);
  return {
    connect: () => client.connect(),
    probe: (windowMs) => client.take(probeBuckets, windowMs),
    take: (buckets, windowMs) => client.take(buckets, windowMs),
    destroy: () => client.destroy(),
  };
}

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
