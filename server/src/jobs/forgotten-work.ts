import type { PgBoss } from 'pg-boss';
import { isDatabaseLost } from '../postgres/database-trouble.ts';
import type { JobContext, JobLog, JobObserver } from './job.ts';
import { queuedJobs } from './registry.ts';

const intervalMs = 5_000;

/**
 * Queues jobs for work that has lost its job: a worker was killed, or a job failed permanently. Every worker
 * process scans at startup and then every few seconds. Two concurrent scans queue two jobs, which is
 * harmless.
 */
export class ForgottenWork {
  readonly #log: JobLog;
  readonly #observer: JobObserver;
  #timer: NodeJS.Timeout | null = null;

  constructor(log: JobLog, observer: JobObserver) {
    this.#log = log;
    this.#observer = observer;
  }

  watch(boss: PgBoss, context: JobContext): void {
    const look = async (idleMs: number) => {
      try {
        for (const job of queuedJobs)
          for (const data of await job.listForgotten(context, idleMs))
            await boss.send(job.name, data, { singletonKey: job.keyOf(data) });
      } catch (error) {
        const { databaseLost } = this.#observer;
        if (isDatabaseLost(error) && databaseLost !== undefined) databaseLost(error);
        else this.#log.error({ err: error }, 'orphaned job scan failed, will retry');
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
