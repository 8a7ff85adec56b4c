/** Ends a call: the caller's signal or its deadline, whichever comes first. */
export class Lifetime {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #deadlineMs: number | undefined;
  readonly #startedAt: number = performance.now();
  #isExpired = false;

  constructor(caller: AbortSignal | undefined, deadlineMs: number | undefined) {
    this.signal = this.#controller.signal;
    this.#caller = caller;
    this.#deadlineMs = deadlineMs;
    if (caller?.aborted === true) this.#forward();
    else caller?.addEventListener('abort', this.#forward, { once: true });
    if (deadlineMs !== undefined) this.#timer = setTimeout(() => this.#expire(), deadlineMs);
  }

  /** The deadline has passed, or the remaining time is shorter than the next wait. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /**
   * Waits, or ends the lifetime at once if the deadline comes first.
   * @throws the reason of the signal
   */
  async wait(ms: number): Promise<void> {
    if (this.#deadlineMs !== undefined && performance.now() + ms >= this.#startedAt + this.#deadlineMs)
      this.#expire();
    await sleep(ms, this.signal);
  }

  /** Releases the timer and the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#forward);
  }

  readonly #forward = (): void => this.#controller.abort(this.#caller?.reason);

  #expire(): void {
    this.#isExpired = true;
    this.#controller.abort();
  }
}

/** Waits. @throws the reason of the signal, once it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
