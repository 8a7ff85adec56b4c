import type { Log } from '../lib/log.ts';

const probeIntervalMs = 1_000;
const defaultRepeatMs = 60_000;

interface OutageOptions {
  readonly log: Log;
  /** The dependency, as in "database". */
  readonly name: string;
  /** Returns whether it responds. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Milliseconds between the lines of a long outage; default: a minute. */
  readonly repeatMs?: number;
}

/**
 * Logs an outage of a dependency once: a line when it begins, one when it is over, and one a minute between, however many
 * connections, requests and jobs fail meanwhile. After the first failure it probes every second. Failures while the dependency
 * responds have one line a minute.
 */
export class Outage {
  readonly #options: OutageOptions;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;
  #closed = false;
  #failures = 0;
  #last: object | null = null;
  #nextWarning = Number.NEGATIVE_INFINITY;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Notes a failed connection or statement. The same error may come from several places. */
  failed(error: Pick<Error, 'message'>): void {
    if (error === this.#last) return;
    this.#last = error;
    this.#failures += 1;
    if (this.#isWatching || this.#closed) return;
    this.#isWatching = true;
    void this.#watch(error.message);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #watch(reason: string): Promise<void> {
    const { log, name, probe, repeatMs = defaultRepeatMs } = this.#options;
    const since = performance.now();
    const seconds = () => Math.round((performance.now() - since) / 1_000);
    let nextLine = since;
    while (!(await probe())) {
      if (this.#closed) return;
      if (performance.now() >= nextLine) {
        if (nextLine === since) log('error', `${name} unreachable: ${reason}`);
        else log('error', `${name} still unreachable after ${seconds()} s`);
        nextLine += repeatMs;
      }
      await new Promise<void>((resolve) => {
        this.#timer = setTimeout(resolve, probeIntervalMs).unref();
      });
    }
    this.#isWatching = false;
    const counted = `${this.#failures} failed attempts`;
    if (nextLine > since) log('info', `${name} reachable again after ${seconds()} s, ${counted}`);
    else if (since >= this.#nextWarning) log('warn', `${name} responds after ${counted}: ${reason}`);
    else return;
    this.#failures = 0;
    this.#nextWarning = performance.now() + repeatMs;
  }
}
