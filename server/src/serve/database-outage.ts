import type { Log } from '../lib/log.ts';

const probeIntervalMs = 1_000;
const defaultRepeatMs = 60_000;

export interface DatabaseOutageOptions {
  readonly log: Log;
  /** Returns whether the database responds. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Milliseconds between the lines of a long outage; default: a minute. */
  readonly repeatMs?: number;
}

/**
 * Logs an outage of the main database once: a line when it begins, one when it is over, and one a minute between, however many
 * connections and jobs fail meanwhile. After the first failure it probes every second. A failure while the database responds is
 * logged as a lost connection, once a minute.
 */
export class DatabaseOutage {
  readonly #options: DatabaseOutageOptions;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;
  #closed = false;
  #nextWarning = Number.NEGATIVE_INFINITY;

  constructor(options: DatabaseOutageOptions) {
    this.#options = options;
  }

  /** Notes a failed connection or statement. */
  failed(error: Error): void {
    if (this.#isWatching || this.#closed) return;
    this.#isWatching = true;
    void this.#watch(error.message);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #watch(reason: string): Promise<void> {
    const { log, probe, repeatMs = defaultRepeatMs } = this.#options;
    const since = performance.now();
    const seconds = () => Math.round((performance.now() - since) / 1_000);
    let nextLine = since;
    while (!(await probe())) {
      if (this.#closed) return;
      if (performance.now() >= nextLine) {
        if (nextLine === since) log('error', `database unreachable, jobs wait for it: ${reason}`);
        else log('error', `database still unreachable after ${seconds()} s`);
        nextLine += repeatMs;
      }
      await new Promise<void>((resolve) => {
        this.#timer = setTimeout(resolve, probeIntervalMs).unref();
      });
    }
    this.#isWatching = false;
    if (nextLine > since) log('info', `database reachable again after ${seconds()} s`);
    else if (since >= this.#nextWarning) log('warn', `database connection lost: ${reason}`);
    else return;
    this.#nextWarning = performance.now() + repeatMs;
  }
}
