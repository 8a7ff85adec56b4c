import type { PgBoss } from 'pg-boss';
import type { JobContext } from './job.ts';
import { queuedJobs } from './registry.ts';

const intervalMs = 15_000;

/**
 * Queues jobs for work that has lost its job: a worker was killed, or a job failed permanently. Every worker
 * process scans at startup and then every few seconds. Two concurrent scans queue two jobs, which is
 * harmless.
 */
export class ForgottenWork {
  #timer: NodeJS.Timeout | null = null;

  /** `onError` receives each failed scan, which the next one repeats. */
  watch(boss: PgBoss, context: JobContext, onError: (error: unknown) => void): void {
    const look = async (idleMs: number) => {
      try {
        for (const job of queuedJobs)
          for (const data of await job.listForgotten(context, idleMs))
            await boss.send(job.name, data, { singletonKey: job.keyOf(data) });
      } catch (error) {
        onError(error);
      }
    };
    // At startup the idle time is unknown: the previous worker may have been killed just now.
    void look(0);
    this.#timer = setInterval(() => void look(intervalMs), intervalMs);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}
