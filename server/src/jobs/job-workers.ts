import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { withJobId } from '../lib/job-ids.ts';
import type { Database } from '../postgres/database.ts';
import type { JobContext, JobObserver } from './job.ts';
import { listDueQueues } from './queue-store.ts';
import { queuedJobs } from './registry.ts';

/** Milliseconds between two looks: a job that another process has queued starts within a second. */
const lookMs = 950;
/** Milliseconds between two searches for work that has lost its job. */
const searchMs = 15_000;

interface Watch {
  readonly stopping: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * The workers of this process, by queue. One statement asks for all queues which of them have a job to start, and wakes
 * their workers; otherwise each of some twenty workers would poll its queue twice a second.
 */
export class JobWorkers {
  readonly #boss: PgBoss;
  readonly #workers = new Map<string, readonly string[]>();

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  add(queue: string, ids: readonly string[]): void {
    this.#workers.set(queue, ids);
  }

  wake(queue: string): void {
    for (const id of this.#workers.get(queue) ?? []) this.#boss.notifyWorker(id);
  }

  watch(database: Database, watch: Watch): void {
    void repeat(lookMs, watch, async () => {
      for (const queue of await listDueQueues(database, [...this.#workers.keys()])) this.wake(queue);
    });
  }
}

/** Queues jobs for work whose worker was killed or whose job failed permanently. A second job for it is harmless. */
export function requeueForgottenWork(boss: PgBoss, context: JobContext, watch: Watch): void {
  // At startup the idle time is unknown: the previous worker may have been killed just now.
  let idleMs = 0;
  void repeat(searchMs, watch, async () => {
    const idle = idleMs;
    idleMs = searchMs;
    for (const job of queuedJobs)
      for (const data of await job.listForgotten(context, idle))
        await boss.send(job.name, data, { singletonKey: job.keyOf(data) });
  });
}

async function repeat(ms: number, { stopping, onError }: Watch, look: () => Promise<void>): Promise<void> {
  while (!stopping.aborted) {
    await look().catch(onError);
    await sleep(ms, undefined, { signal: stopping }).catch(() => {});
  }
}

export interface TakenJob {
  readonly name: string;
  readonly id: string;
}

/** Runs a job and reports its outcome. A run that fails after `stopping` counts as interrupted. */
export function observedRun<T>(
  observer: JobObserver,
  { name, id }: TakenJob,
  run: () => Promise<T>,
  stopping?: AbortSignal,
): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const observed = async () => {
    try {
      const result = await run();
      observer.jobEnded(name, 'completed', seconds());
      return result;
    } catch (error) {
      observer.jobEnded(name, stopping?.aborted === true ? 'interrupted' : 'failed', seconds(), error);
      throw error;
    }
  };
  return withJobId(id, observed);
}
