import { type Transferable, Worker } from 'node:worker_threads';
import { type Owner, Semaphore } from './semaphore.ts';

export interface ThreadLimits {
  readonly maxOldGenerationSizeMb: number;
  readonly maxYoungGenerationSizeMb: number;
}

/** A thread exceeded its memory limit. Nothing else is affected. */
export class ThreadMemoryError extends Error {
  constructor() {
    super('the thread needs more memory than its limits allow');
    this.name = 'ThreadMemoryError';
  }
}

/** The threads of the process are closed, or were closed while the task ran. */
export class ThreadsClosedError extends Error {
  constructor() {
    super('the threads are closed');
    this.name = 'ThreadsClosedError';
  }
}

export interface ThreadTask {
  readonly module: URL;
  /** `workerData` of the thread. */
  readonly data: unknown;
  readonly transfer: readonly Transferable[];
  /** Default: as `Threads` was created with. */
  readonly limits?: ThreadLimits;
}

/** Runs tasks in threads, one at a time, so that the heaps of two never add up. Owners take turns [platform-76]. */
export class Threads {
  readonly #turns = new Semaphore({ total: 1, perOwner: 1, maxWaiting: Number.POSITIVE_INFINITY });
  readonly #limits: ThreadLimits;
  #running: Worker | null = null;
  #isClosed = false;

  constructor(limits: ThreadLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }) {
    this.#limits = limits;
  }

  /** Returns the message of the thread. @throws ThreadMemoryError, ThreadsClosedError, and what the thread throws */
  async run<T>(owner: Owner, task: ThreadTask): Promise<T> {
    return this.#turns.run(owner, () => this.#runNow(task));
  }

  /** Terminates the running thread and refuses further tasks. Resolves when no thread is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.terminate();
  }

  async #runNow<T>({ module, data, transfer, limits = this.#limits }: ThreadTask): Promise<T> {
    if (this.#isClosed) throw new ThreadsClosedError();
    const worker = new Worker(module, {
      workerData: data,
      transferList: [...transfer],
      resourceLimits: limits,
    });
    this.#running = worker;
    let outcome: { readonly message: T } | { readonly error: Error } | null = null;
    worker.once('message', (message: T) => {
      outcome ??= { message };
    });
    // As long as the thread lives: an error without a listener would end the process.
    worker.on('error', (error: NodeJS.ErrnoException) => {
      outcome ??= { error: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadMemoryError() : error };
    });
    // Its memory is freed only at its exit: the next thread starts after that.
    await new Promise((resolve) => worker.once('exit', resolve));
    this.#running = null;
    return unwrapOutcome(outcome, this.#isClosed);
  }
}

function unwrapOutcome<T>(
  outcome: { readonly message: T } | { readonly error: Error } | null,
  isClosed: boolean,
): T {
  if (outcome === null)
    throw isClosed ? new ThreadsClosedError() : new Error('the thread ended without a message');
  if ('error' in outcome) throw outcome.error;
  return outcome.message;
}
