import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { withJobId } from '../lib/log.ts';
import type { Database } from '../postgres/database.ts';
import { isDatabaseLost } from '../postgres/database-errors.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { JobSender } from '../queue/job-sender.ts';
import { createFailedJobsIndex, findWaitingJob, listDueQueues, lockJobKey } from '../queue/queue-store.ts';
import {
  type AnyLongJob,
  type AnyQueuedJob,
  type JobContext,
  type JobLog,
  type JobObserver,
  longJobs,
  queuedJobs,
  retiredSchedules,
  type ScheduledJob,
  scheduledJobs,
} from './job.ts';

export interface JobQueue extends JobSender {
  /** Starts running the jobs of the registry in this process. */
  work(context: JobContext): Promise<void>;
  /** Lets running jobs finish, for `timeoutMs` at most; an interrupted one runs again after the next start. */
  stop(timeoutMs: number): Promise<void>;
}

/** Seconds after which a worker looks for a job that `JobWorkers` has missed. */
const pollingIntervalSeconds = 600;

const queueOptions = {
  // Failures are nearly always caused by the database: once it recovers, the next attempt succeeds.
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  // A killed process is detected by its missing heartbeat, long before the job's time limit.
  heartbeatSeconds: 60,
  // Completed jobs are not needed.
  deleteAfterSeconds: 24 * 60 * 60,
};

/**
 * Opens the queue on the main database (schema `pgboss`, which it creates and migrates itself). `works`: whether this process
 * maintains the queue and the schedule. Any number of processes may: each job and each scheduled time runs once.
 */
export async function openJobQueue(
  database: Database,
  log: JobLog,
  works: boolean,
  observer: JobObserver = { jobEnded: () => {} },
): Promise<JobQueue> {
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) =>
        database.execute(text, values as unknown[]).catch((error: Error) => {
          if (!isDatabaseLost(error) || observer.databaseLost === undefined) throw error;
          observer.databaseLost(error);
          // The queue reports a copy of the error.
          throw Object.assign(error, { isReported: true });
        }),
    },
    supervise: works,
    schedule: works,
    // The default of one minute would delay jobs as much.
    cronMonitorIntervalSeconds: 30,
    cronWorkerIntervalSeconds: 30,
    // No job here depends on another one.
    flowIntervalSeconds: 60,
  });
  boss.on('error', (error) => {
    // While the database is lost, each queue reports an error a second.
    if ((error as { isReported?: boolean }).isReported !== true)
      log.error({ err: error }, 'job queue error, continuing');
  });
  await boss.start();
  await createFailedJobsIndex(database);
  for (const { name, limitSeconds = 15 * 60, retryLimit } of [...scheduledJobs, ...queuedJobs])
    await boss.createQueue(name, {
      ...queueOptions,
      ...(retryLimit !== undefined && { retryLimit }),
      // For schedules that no process runs any more. Other work is found again.
      retentionSeconds: 24 * 60 * 60,
      expireInSeconds: limitSeconds,
    });
  for (const { name, limitSeconds, retryLimit, keepSeconds } of longJobs)
    await boss.createQueue(name, {
      ...queueOptions,
      retryLimit,
      expireInSeconds: limitSeconds,
      deleteAfterSeconds: keepSeconds,
    });
  const stopping = new AbortController();
  const workers = new JobWorkers(boss);
  const failed = (message: string) => (error: unknown) => {
    if (isDatabaseLost(error) && observer.databaseLost !== undefined) observer.databaseLost(error);
    else log.error({ err: error }, message);
  };

  return {
    send: async (tx, { queue, key, data, id }) => {
      await boss.send(queue, data, { singletonKey: key, db: within(tx), ...(id !== undefined && { id }) });
    },
    sendOnce: async (tx, { queue, key, data, brandId }) => {
      await lockJobKey(tx, queue, key);
      const waiting = await findWaitingJob(tx, queue, key);
      if (waiting !== null) return waiting;
      const group = brandId === undefined ? {} : { group: { id: String(brandId) } };
      return (await boss.send(queue, data, { singletonKey: key, db: within(tx), ...group })) as string;
    },
    wake: (queue) => workers.wake(queue),
    retry: async (tx, queue, ids) => {
      await boss.retry(queue, [...ids], { db: within(tx) });
    },
    work: async (context) => {
      const reports = { log, observer, stopping: stopping.signal };
      for (const name of retiredSchedules) await boss.unschedule(name);
      for (const job of scheduledJobs.filter(({ runsHere }) => runsHere?.(context) !== false))
        workers.add(job.name, await workOnSchedule(boss, job, context, reports));
      for (const job of queuedJobs) {
        const wake = () => workers.wake(job.name);
        workers.add(job.name, await workOnQueue(boss, job, context, { observer, wake }));
      }
      for (const job of longJobs) workers.add(job.name, await workOnLongJobs(boss, job, context, reports));
      const { signal } = stopping;
      workers.watch(database, { stopping: signal, onError: failed('looking for jobs failed, will retry') });
      const onError = failed('orphaned job scan failed, will retry');
      requeueForgottenWork(boss, context, { stopping: signal, onError });
    },
    stop: async (timeoutMs) => {
      stopping.abort(new Error('worker stopping; another worker continues the job'));
      await boss.stop({ graceful: true, timeout: timeoutMs, close: false });
    },
  };
}

/** The queue's own statements, run in our transaction. */
function within(tx: Transaction) {
  return {
    // Without a name: the texts differ.
    executeSql: async (text: string, values: unknown[] = []) => ({
      rows: await tx.run({ name: '', text, values }),
    }),
  };
}

interface Reports {
  readonly log: JobLog;
  readonly observer: JobObserver;
  /** Aborted when this worker stops. */
  readonly stopping: AbortSignal;
}

async function workOnSchedule(
  boss: PgBoss,
  job: ScheduledJob,
  context: JobContext,
  { log, observer, stopping }: Reports,
): Promise<string[]> {
  // A time that was missed because no worker ran is made up for once.
  await boss.schedule(job.name, job.cron, null, { tz: 'UTC', missed: 'once' });
  const id = await boss.work(job.name, { pollingIntervalSeconds }, async ([taken]) => {
    if (taken === undefined) return;
    const run = async () => {
      const outcome = await job.run(context, stopping);
      log.info({ job: job.name, ...outcome }, 'job completed');
    };
    await observedRun(observer, taken, run, stopping);
  });
  return [id];
}

async function workOnQueue(
  boss: PgBoss,
  job: AnyQueuedJob,
  context: JobContext,
  { observer, wake }: { readonly observer: JobObserver; readonly wake: () => void },
): Promise<string[]> {
  const options = {
    pollingIntervalSeconds,
    // Fetched together and grouped by key, so that hundreds of jobs for one key do not delay another key's.
    batchSize: 100,
    burstWhenBatchFull: true,
  };
  const run = async (jobs: (TakenJob & { data: object })[]) => {
    const byKey = new Map(jobs.map((taken) => [job.keyOf(taken.data), taken]));
    const outcomes = await Promise.allSettled(
      [...byKey].map(async ([key, taken]) => {
        const { data } = taken;
        const progress = await observedRun(observer, taken, () => job.run(context, data));
        if (progress !== 'again') return;
        await boss.send(job.name, data, { singletonKey: key });
        wake();
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // All of them are retried then; completed ones have nothing left to do.
    if (failed !== undefined) throw failed.reason;
  };
  // One worker polls while the other one runs a job.
  return [await boss.work(job.name, options, run), await boss.work(job.name, options, run)];
}

/** Two long jobs at a time, each in its own worker, and one of each brand: they do not block those of another [platform-76]. */
async function workOnLongJobs(
  boss: PgBoss,
  job: AnyLongJob,
  context: JobContext,
  { log, observer, stopping }: Reports,
): Promise<string[]> {
  const options = { pollingIntervalSeconds, batchSize: 1, groupConcurrency: 1 };
  const run = async ([taken]: (TakenJob & { data: object; signal: AbortSignal })[]) => {
    if (taken === undefined) return;
    // The job's own signal: another worker has the job by now, because this one missed its heartbeat.
    const signal = AbortSignal.any([stopping, taken.signal]);
    const run = async () => {
      const result = await job.run(context, taken.data, signal);
      log.info({ job: job.name, data: taken.data, ...result }, 'job completed');
      return result;
    };
    return observedRun(observer, taken, run, signal);
  };
  return [await boss.work(job.name, options, run), await boss.work(job.name, options, run)];
}

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
class JobWorkers {
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
function requeueForgottenWork(boss: PgBoss, context: JobContext, watch: Watch): void {
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

interface TakenJob {
  readonly name: string;
  readonly id: string;
}

/** Runs a job and reports its outcome. A run that fails after `stopping` counts as interrupted. */
function observedRun<T>(
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
