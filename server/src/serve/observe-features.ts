import type { FastifyBaseLogger } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { EventsTaken } from '../analytics/events/sent-event.ts';
import type { AnalyticsStore } from '../analytics/store/analytics-store.ts';
import type { FeedObserver } from '../catalog/feeds/apply-feeds.ts';
import { readOldestFeedAge } from '../catalog/feeds/feed-work-store.ts';
import { collectGauge } from '../http/metrics.ts';
import { type JobObserver, jobOutcomes, queueNames } from '../jobs/job.ts';
import { within } from '../lib/within.ts';
import type { Database } from '../postgres/database.ts';
import type { RetentionObserver } from '../retention/apply-retention.ts';
import { formatKeep, policySettings } from '../retention/policy-settings.ts';
import { listRetentionRuns } from '../retention/retention-run-store.ts';
import { RememberedReading } from './observe-server.ts';

const outcomes = ['completed', 'busy', 'failed'] as const;
const eventResults = ['accepted', 'duplicate', 'excluded', 'rejected'] as const;

/** Returns the store with every aggregation counted, measured and logged. */
export function observeAggregations(
  store: AnalyticsStore,
  registry: Registry,
  logger: Pick<FastifyBaseLogger, 'info'>,
): AnalyticsStore {
  const runs = new Counter({
    name: 'brandport_aggregations_total',
    help: 'Aggregations of a window of days, by outcome; `busy`: another process aggregates the brand.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'brandport_aggregation_duration_seconds',
    help: 'Duration of completed aggregations of a window of days, in seconds.',
    buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
    registers: [registry],
  });
  const days = new Counter({
    name: 'brandport_aggregated_days_total',
    help: 'Days aggregated, each brand’s counted separately.',
    registers: [registry],
  });
  for (const outcome of outcomes) runs.inc({ outcome }, 0);
  return {
    ...store,
    aggregate: async (brandId, range, readFacts, options) => {
      const startedAt = performance.now();
      const result = await store.aggregate(brandId, range, readFacts, options).catch((error: unknown) => {
        runs.inc({ outcome: 'failed' });
        throw error;
      });
      runs.inc({ outcome: result === null ? 'busy' : 'completed' });
      if (result === null) return null;
      const ms = Math.round(performance.now() - startedAt);
      durations.observe(ms / 1_000);
      days.inc(result.days);
      const rows = Object.values(result.rows).reduce((sum, count) => sum + count, 0);
      logger.info({ brand_id: brandId, ...range, days: result.days, rows, ms }, 'days aggregated');
      return result;
    },
  };
}

export function observeIntake(registry: Registry): (intake: EventsTaken) => void {
  const events = new Counter({
    name: 'brandport_learning_events_total',
    help: 'Learning events of finished requests, by result; `excluded`: of learners who have opted out.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of eventResults) events.inc({ result }, 0);
  return ({ accepted, duplicates, excluded, rejected_count: rejected }) => {
    events.inc({ result: 'accepted' }, accepted);
    events.inc({ result: 'duplicate' }, duplicates);
    events.inc({ result: 'excluded' }, excluded);
    events.inc({ result: 'rejected' }, rejected);
  };
}

/** Metrics must be served even if the database does not respond. */
const ageLimitMs = 1_000;

/**
 * Counts and logs the outcomes of stock feeds, and measures how fast they are applied. Shows the age of the oldest unfinished
 * feed of all brands, which is the value to set an alarm on; NaN while the database does not respond.
 */
export function observeFeeds(
  registry: Registry,
  database: Database,
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>,
): FeedObserver {
  collectGauge(registry, {
    name: 'brandport_stock_feed_oldest_age_seconds',
    help: 'Age in seconds of the oldest unfinished stock feed, from its receipt; 0 if there is none.',
    read: async (gauge) => {
      const unknown = () => Number.NaN;
      gauge.set(await within(ageLimitMs, readOldestFeedAge(database).catch(unknown), unknown));
    },
  });
  const finished = new Counter({
    name: 'brandport_stock_feeds_finished_total',
    help: 'Stock feeds that this process finished, by status.',
    labelNames: ['status'],
    registers: [registry],
  });
  // An alert on the first one needs the zero before it.
  for (const status of ['completed', 'failed']) finished.inc({ status }, 0);
  const finishedLines = new Counter({
    name: 'brandport_stock_feed_lines_total',
    help: 'Lines of the stock feeds that this process finished, by result.',
    labelNames: ['result'],
    registers: [registry],
  });
  const lines = new Counter({
    name: 'brandport_stock_feed_lines_decided_total',
    help: 'Lines of stock feeds that this process decided, as their chunks commit.',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'brandport_stock_feed_chunk_duration_seconds',
    help: 'Duration of the transactions that decide up to 1,000 lines of a stock feed, in seconds.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    feedFinished: ({ status, counts }, { tuId, brandId, requestId }) => {
      finished.inc({ status });
      for (const [result, count] of Object.entries(counts)) finishedLines.inc({ result }, count);
      const ids = { feed_id: tuId, brand_id: brandId, ...(requestId !== null && { reqId: requestId }) };
      logger.info({ ...ids, status, counts }, 'stock feed finished');
    },
    chunkApplied: (count, seconds) => {
      lines.inc(count);
      durations.observe(seconds);
    },
    chunkFailed: (feed_id, err) => logger.error({ err, feed_id }, 'stock feed chunk rolled back'),
  };
}

/** Counts the outcomes of jobs and measures them; logs failures, which are retried. */
export function observeJobs(registry: Registry, logger: Pick<FastifyBaseLogger, 'error'>): JobObserver {
  const runs = new Counter({
    name: 'brandport_jobs_total',
    help: 'Runs of jobs in this process, by outcome. A failed or interrupted job is retried.',
    labelNames: ['name', 'outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'brandport_job_duration_seconds',
    help: 'Duration of the runs of jobs, in seconds.',
    labelNames: ['name'],
    buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600, 21_600],
    registers: [registry],
  });
  // The label is not `job`, which Prometheus takes for the name of the scrape. An alert on the first failure needs the zero
  // before it.
  for (const name of queueNames) for (const outcome of jobOutcomes) runs.inc({ name, outcome }, 0);
  return {
    jobEnded: (job, outcome, seconds, error) => {
      runs.inc({ name: job, outcome });
      durations.observe({ name: job }, seconds);
      if (outcome === 'failed') logger.error({ err: error, job }, 'job failed, will retry');
    },
  };
}

/** Counts the rows that retention drops, and logs each policy that was applied. */
export function observeRetention(
  registry: Registry,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): RetentionObserver {
  const dropped = new Counter({
    name: 'brandport_retention_dropped_rows_total',
    help: 'Rows that this process dropped because they were older than they are kept, by policy.',
    labelNames: ['policy'],
    registers: [registry],
  });
  for (const { policy } of policySettings) dropped.inc({ policy }, 0);
  return {
    rowsDropped: (policy, rows) => dropped.inc({ policy }, rows),
    policyApplied: ({ policy, keepDays, droppedRows, heldBackBy }, ms) => {
      const details = { policy, keep: formatKeep(keepDays), dropped_rows: droppedRows, ms };
      if (heldBackBy === null) logger.info(details, 'retention policy applied');
      else
        logger.warn(
          { ...details, held_back_by: heldBackBy },
          'retention policy applied, except for events of a day that is not aggregated',
        );
    },
  };
}

/** Shows when each policy was applied last, by any process. */
export function watchRetention(registry: Registry, database: Database): void {
  const runs = new RememberedReading({ read: () => listRetentionRuns(database), lifetimeMs: 60_000 });
  collectGauge(registry, {
    name: 'brandport_retention_last_run_timestamp_seconds',
    help: 'When the policy was applied completely for the last time, in seconds since 1970; missing before the first time.',
    labelNames: ['policy'],
    read: async (gauge) => {
      const known = await runs.get();
      gauge.reset();
      for (const { policy, finishedAt } of known ?? []) gauge.set({ policy }, finishedAt.getTime() / 1_000);
    },
  });
}
