import { purgeExpiredIdempotencyRecords } from '../access/idempotency/idempotency-store.ts';
import { purgeEndedSessions, purgeExpiredSignIns } from '../access/sessions/session-store.ts';
import { aggregateAllBrands, aggregateWindowJob } from '../analytics/aggregation/aggregation-service.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import { dayOf } from '../analytics/day.ts';
import { settleDirectoryChangesJob, settleOptInsJob } from '../analytics/directory-changes/settle-changes.ts';
import { applyFeedsJob, type FeedObserver } from '../catalog/feeds/apply-feeds.ts';
import { doctorRunJob, type RunDoctor } from '../doctor/doctor-run-job.ts';
import { applyRetention, type RetentionOptions } from '../retention/apply-retention.ts';

export interface JobContext extends AnalyticsContext {
  readonly feeds: FeedObserver;
  readonly retention: Pick<RetentionOptions, 'keep' | 'observer'>;
  readonly runDoctor: RunDoctor;
  /** Absent: no webhook is configured. */
  readonly sendAlerts?: CancellableWork | undefined;
}

/** Does what is due, and returns what the log shows. */
type CancellableWork = (signal: AbortSignal) => Promise<object>;

/** Work that runs on a schedule, once across all processes at each time. It must be safe to run again after a crash. */
export interface ScheduledJob {
  readonly name: string;
  /** Five fields, UTC. */
  readonly cron: string;
  /** Returns whether this process runs the job; default: each that runs jobs. */
  readonly runsHere?: (context: JobContext) => boolean;
  /** Maximum duration of a run before it counts as lost and is started again; default 15 minutes. */
  readonly limitSeconds?: number;
  /** Number of retries of a failed run, finally a minute apart; default 10. */
  readonly retryLimit?: number;
  /** Runs the job; its result is logged. `signal` requests a stop; a job that then throws is retried by another worker. */
  run(context: JobContext, signal: AbortSignal): Promise<Record<string, unknown>>;
}

/**
 * Requested work, by a job that was queued in the transaction of the request. It must be safe to run again,
 * and concurrently with itself: a job is a reason to look, and the work itself is in the database.
 */
interface QueuedJob<Data extends object> {
  readonly name: string;
  /** Like those of a scheduled job. */
  readonly limitSeconds?: number;
  readonly retryLimit?: number;
  /** Jobs with the same key request the same work; of those fetched together, one runs. */
  keyOf(data: Data): string;
  /** Works for about a second at most, so that all keys take turns. `again`: more to do, behind the waiting jobs. */
  run(context: JobContext, data: Data): Promise<'done' | 'again'>;
  /** Lists work that nobody has touched for `idleMs`. Called at startup, and then regularly. */
  listForgotten(context: JobContext, idleMs: number): Promise<Data[]>;
}

/** Work of up to hours under one id, from the request to the result. After a crash it runs again, and must continue. */
interface LongJob<Data extends object> {
  readonly name: string;
  readonly limitSeconds: number;
  readonly retryLimit: number;
  /** Seconds for which a finished job can be found. */
  readonly keepSeconds: number;
  /** Returns the result. `signal` requests a stop; the job then throws, and another worker continues. */
  run(context: JobContext, data: Data, signal: AbortSignal): Promise<Record<string, unknown>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs forgets what each one's data looks like.
export type AnyLongJob = LongJob<any>;

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs forgets what each one's data looks like.
export type AnyQueuedJob = QueuedJob<any>;

export const jobOutcomes = ['completed', 'failed', 'interrupted'] as const;
/** `interrupted`: the worker stops, and another one continues the job. */
type JobOutcome = (typeof jobOutcomes)[number];

export interface JobObserver {
  jobEnded(job: string, outcome: JobOutcome, seconds: number, error?: unknown): void;
  /** The queue could not use the database. Called for each failed attempt, which is then not logged. */
  readonly databaseLost?: ((error: Error) => void) | undefined;
}

export interface JobLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

// Every job of the service.

export const scheduledJobs: readonly ScheduledJob[] = [
  {
    name: 'purge-idempotency-records',
    cron: '7 * * * *',
    run: async ({ database, clock }) => ({ purged: await purgeExpiredIdempotencyRecords(database, clock) }),
  },
  {
    name: 'purge-sessions',
    cron: '23 * * * *',
    run: async ({ database, clock }) => ({
      purged: await purgeEndedSessions(database, clock),
      sign_ins: await purgeExpiredSignIns(database, clock),
    }),
  },
  {
    name: 'analytics-upkeep',
    cron: '*/15 * * * *',
    run: async ({ analytics, clock }) => ({ ...(await analytics.upkeep(dayOf(clock.now()))) }),
  },
  {
    name: 'send-alerts',
    cron: '* * * * *',
    limitSeconds: 120,
    // The next run comes soon. A failed one is shown among the failed jobs.
    retryLimit: 0,
    runsHere: ({ sendAlerts }) => sendAlerts !== undefined,
    run: async ({ sendAlerts }, signal) => ({ ...(await sendAlerts?.(signal)) }),
  },
  {
    // 00:05 UTC [internal-43].
    name: 'aggregate-days',
    cron: '5 0 * * *',
    limitSeconds: 6 * 60 * 60,
    // Retries until the morning while the store is unavailable; a finished brand is not aggregated again.
    retryLimit: 360,
    run: async (context, signal) => ({ ...(await aggregateAllBrands(context, signal)) }),
  },
  {
    // After the nightly aggregation, which events have to wait for.
    name: 'apply-retention',
    cron: '40 2 * * *',
    limitSeconds: 6 * 60 * 60,
    // Retries until the morning while a database is unavailable; a restart of a worker also uses one.
    retryLimit: 360,
    run: async (context, signal) => {
      const outcomes = await applyRetention(context, { ...context.retention, signal });
      return Object.fromEntries(outcomes.map(({ policy, droppedRows }) => [policy, droppedRows]));
    },
  },
];

/** The names of schedules of earlier versions. Their jobs would wait forever. */
export const retiredSchedules: readonly string[] = [
  'make-event-partitions',
  'partition-upkeep',
  'make-backup',
];

export const queuedJobs: readonly AnyQueuedJob[] = [
  applyFeedsJob,
  settleOptInsJob,
  settleDirectoryChangesJob,
];

export const longJobs: readonly AnyLongJob[] = [aggregateWindowJob, doctorRunJob];

export const queueNames: readonly string[] = [...scheduledJobs, ...queuedJobs, ...longJobs].map(
  ({ name }) => name,
);
