import { notify, type PaceEvent } from './hooks.ts';
import { RateWindows } from './rate-window.ts';

export interface PacerOptions {
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
