import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { FeedObserver } from '../catalog/feeds/apply-feeds.ts';
import type { RetentionOptions } from '../retention/apply-retention.ts';
import type { RunDoctor } from './doctor-runs/doctor-run.ts';

export interface JobContext extends AnalyticsContext {
  readonly feeds: FeedObserver;
  readonly retention: Pick<RetentionOptions, 'keep' | 'observer'>;
  readonly runDoctor: RunDoctor;
  /** Absent: no webhook is configured. */
  readonly sendAlerts?: CancellableWork | undefined;
}

/** Does what is due, and returns what the log shows. */
export type CancellableWork = (signal: AbortSignal) => Promise<object>;

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
export interface QueuedJob<Data extends object> {
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
export interface LongJob<Data extends object> {
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
export type JobOutcome = (typeof jobOutcomes)[number];

export interface JobObserver {
  jobEnded(job: string, outcome: JobOutcome, seconds: number, error?: unknown): void;
  /** The queue could not use the database. Called for each failed attempt, which is then not logged. */
  readonly databaseLost?: ((error: Error) => void) | undefined;
}

export interface JobLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}
