import type { PgBoss } from 'pg-boss';
import type { Database } from '../postgres/database.ts';
import { listDueQueues } from './queries/due-queues.ts';

/** Milliseconds between two looks: a job that another process has queued starts within a second. */
const intervalMs = 950;

/**
 * The workers of this process, by queue. One statement asks for all queues which of them have a job to start, and wakes
 * their workers; otherwise each of some twenty workers would poll its queue twice a second.
 */
export class JobWorkers {
  readonly #boss: PgBoss;
  readonly #workers = new Map<string, readonly string[]>();
  #timer: NodeJS.Timeout | null = null;

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Adds the workers of a queue, by their ids. */
  add(queue: string, ids: readonly string[]): void {
    this.#workers.set(queue, ids);
  }

  /** Makes the workers of a queue look for a job now. */
  wake(queue: string): void {
    for (const id of this.#workers.get(queue) ?? []) this.#boss.notifyWorker(id);
  }

  /** Looks for due jobs regularly, until `stop`. `onError` receives each failed look, which the next one repeats. */
  watch(database: Database, onError: (error: unknown) => void): void {
    const look = async () => {
      try {
        for (const queue of await listDueQueues(database, [...this.#workers.keys()])) this.wake(queue);
      } catch (error) {
        onError(error);
      }
      if (this.#timer !== null) this.#timer = setTimeout(look, intervalMs);
    };
    this.#timer = setTimeout(look, intervalMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
