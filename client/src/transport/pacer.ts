import { notify, type PaceEvent } from './client-options.ts';
import { retryAfterMs, serverTime } from './response.ts';

/** A longer wait is not begun: nobody would know what the program does. */
export const longestAskedMs = 600_000;

interface PacerOptions {
  /** false: only the number of concurrent requests is limited. */
  readonly isPaced: boolean;
  /** Requests in flight per queue. */
  readonly maxConcurrency: number;
  readonly onPace?: ((event: PaceEvent) => void) | undefined;
}

/** Permission to send one request. */
export interface Slot {
  /** Milliseconds that the request waited. */
  readonly waitedMs: number;
  /** Has to be called once, with the response or null. */
  leave(response: { readonly status: number; readonly headers: Headers } | null): void;
}

interface Waiting {
  readonly enter: () => void;
}

/** Queues the requests of one kind in order of arrival, and sends each when the limits allow it. */
class PacedQueue {
  readonly #name: string;
  readonly #options: PacerOptions;
  readonly #windows = new RateWindows();
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The end of the last reported wait. */
  #reportedAt = 0;

  constructor(name: string, options: PacerOptions) {
    this.#name = name;
    this.#options = options;
  }

  /**
   * Waits for permission to send.
   * @param isRetry goes before all calls that have not begun
   * @throws the reason of the signal, once it is aborted
   */
  enter(signal: AbortSignal, isRetry: boolean): Promise<Slot> {
    const queuedAt = performance.now();
    return new Promise((resolve, reject) => {
      const withdraw = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#pump();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        enter: () => {
          signal.removeEventListener('abort', withdraw);
          resolve(this.#slot(queuedAt));
        },
      };
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      signal.addEventListener('abort', withdraw, { once: true });
      if (isRetry) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.#pump();
    });
  }

  #slot(queuedAt: number): Slot {
    const waitedMs = performance.now() - queuedAt;
    return {
      waitedMs,
      leave: (response) => {
        this.#inFlight -= 1;
        this.#windows.answered(response, performance.now());
        this.#pump();
      },
    };
  }

  #pump(): void {
    clearTimeout(this.#timer);
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#inFlight >= this.#options.maxConcurrency) return;
      const now = performance.now();
      const at = this.#options.isPaced ? this.#windows.sendableAt(now) : now;
      if (at === null) return;
      if (at > now) {
        const waitMs = Math.ceil(at - now);
        this.#timer = setTimeout(() => this.#pump(), waitMs);
        if (at !== this.#reportedAt) notify(this.#options.onPace, { queue: this.#name, waitMs });
        this.#reportedAt = at;
        return;
      }
      this.#waiting.shift();
      this.#inFlight += 1;
      this.#windows.sent(now);
      next.enter();
    }
  }
}

/** The queues of a client: the service counts reads and writes, and its two domains, separately. */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #queues = new Map<string, PacedQueue>();

  constructor(options: PacerOptions) {
    this.#options = options;
  }

  enter(queue: string, signal: AbortSignal, isRetry: boolean): Promise<Slot> {
    const known = this.#queues.get(queue) ?? new PacedQueue(queue, this.#options);
    this.#queues.set(queue, known);
    return known.enter(signal, isRetry);
  }
}

/** The requests left in one of the service's limits, until it resets. Times are of `performance.now()`. */
interface RateWindow {
  readonly limit: number;
  left: number;
  resetAt: number;
  /** Seconds since the epoch by the server's clock: identifies the window. */
  readonly serverReset: number;
}

/** Windows of the service last a minute; twice that allows for clocks. */
const longestWindowMs = 120_000;

/** Below this share of a limit, the rest is spread over the window: other processes may use the same key. */
const spreadBelow = 0.1;

/**
 * Follows the limits of one kind of requests by the headers of their responses. Every response describes the limit with
 * the fewest requests left, so there may be several: their sizes identify them [D142].
 */
export class RateWindows {
  readonly #windows = new Map<number, RateWindow>();
  #isUnlimited = false;
  #lastSentAt = 0;
  #inFlight = 0;

  /** Returns when the next request may be sent; null while the response that says so is in flight. */
  sendableAt(now: number): number | null {
    for (const [limit, window] of this.#windows) if (window.resetAt <= now) this.#windows.delete(limit);
    if (this.#windows.size === 0) return this.#isUnlimited || this.#inFlight === 0 ? now : null;
    return Math.max(now, ...[...this.#windows.values()].map((window) => this.#sendableIn(window)));
  }

  sent(now: number): void {
    this.#lastSentAt = now;
    this.#inFlight += 1;
    for (const window of this.#windows.values()) window.left -= 1;
  }

  /** Reads the headers of a response; null after a failed connection. */
  answered(response: { readonly status: number; readonly headers: Headers } | null, now: number): void {
    this.#inFlight -= 1;
    // A 401 describes the limit of the address.
    if (response === null || response.status === 401) return;
    const { headers, status } = response;
    const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
    const serverReset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
    const remaining = status === 429 ? 0 : Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
    const resetMs = serverReset * 1000 - serverTime(headers);
    const askedMs = retryAfterMs(headers) ?? 0;
    // A reset far ahead is of another service, such as a gateway; a long wait fails the call, and holds up no other.
    const isForeign = resetMs > longestWindowMs || askedMs > longestAskedMs;
    if (isForeign || Number.isNaN(limit + serverReset + remaining)) {
      if (status < 300) this.#isUnlimited = this.#windows.size === 0;
      return;
    }
    this.#isUnlimited = false;
    // The server rounds the reset up and truncates its `Date`, so this wait is never too short.
    this.#learn({ limit, left: remaining, resetAt: now + Math.max(resetMs, askedMs), serverReset });
  }

  #learn(seen: RateWindow): void {
    const known = this.#windows.get(seen.limit);
    // Rounding moves a reset by a second; windows last a minute.
    if (known === undefined || seen.serverReset > known.serverReset + 1) {
      // Requests in flight may not be counted yet.
      this.#windows.set(seen.limit, { ...seen, left: seen.left - this.#inFlight });
    } else if (seen.serverReset >= known.serverReset - 1) {
      known.left = Math.min(known.left, seen.left);
      known.resetAt = Math.max(known.resetAt, seen.left === 0 ? seen.resetAt : 0);
    }
  }

  #sendableIn({ left, limit, resetAt }: RateWindow): number {
    if (left <= 0) return resetAt;
    if (left > limit * spreadBelow) return 0;
    return this.#lastSentAt + (resetAt - this.#lastSentAt) / (left + 1);
  }
}
