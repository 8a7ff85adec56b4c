import { PgBoss } from 'pg-boss';
import type { ServiceContext } from '../api/operation.ts';
import type { ScheduledJob } from './registry.ts';

export interface JobLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface JobQueue {
  /** Lets running jobs finish, for `timeoutMs` at most; an interrupted one runs again after the next start. */
  stop(timeoutMs: number): Promise<void>;
}

/**
 * Starts the queue on the main database (schema `pgboss`, which it makes and migrates itself) and works on the given
 * jobs. Any number of processes may do so: each scheduled time is run once.
 */
export async function startJobQueue(
  context: ServiceContext,
  jobs: readonly ScheduledJob[],
  log: JobLog,
): Promise<JobQueue> {
  const { pool } = context.database;
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    // The default, one minute, is how late a job may be noticed.
    cronMonitorIntervalSeconds: 30,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue met a failure; it goes on'));
  await boss.start();
  for (const job of jobs) {
    await boss.createQueue(job.name);
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' });
    await boss.work(job.name, async () => {
      try {
        const outcome = await job.run(context);
        log.info({ job: job.name, ...outcome }, 'job done');
      } catch (error) {
        // The queue keeps the failure with the job and tries again; it logs nothing itself.
        log.error({ job: job.name, err: error }, 'job failed');
        throw error;
      }
    });
  }
  return { stop: (timeoutMs) => boss.stop({ graceful: true, timeout: timeoutMs, close: false }) };
}
