import { setTimeout as sleep } from 'node:timers/promises';

export interface ReadingOptions<T> {
  readonly read: () => Promise<T>;
  /** Milliseconds for which a reading is current; after a failure too. */
  readonly lifetimeMs: number;
  /** Milliseconds that a caller waits for a new reading at most; default: a second. */
  readonly waitMs?: number;
}

/** A value that is expensive to read: at most once per `lifetimeMs` (monotonic), by one reader at a time. */
export class RememberedReading<T> {
  readonly #options: ReadingOptions<T>;
  #value: T | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(options: ReadingOptions<T>) {
    this.#options = options;
  }

  /** Returns the last reading, or null if the last attempt failed or there was none in time. Never rejects. */
  async get(): Promise<T | null> {
    const { lifetimeMs, waitMs = 1_000 } = this.#options;
    if (this.#reading === null && performance.now() - this.#readAt >= lifetimeMs)
      this.#reading = this.#read();
    if (this.#reading !== null) await Promise.race([this.#reading, sleep(waitMs, undefined, { ref: false })]);
    return this.#value;
  }

  async #read(): Promise<void> {
    try {
      this.#value = await this.#options.read();
    } catch {
      this.#value = null;
    }
    this.#readAt = performance.now();
    this.#reading = null;
  }
}
