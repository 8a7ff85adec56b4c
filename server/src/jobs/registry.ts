import { purgeExpiredIdempotencyRecords } from '../access/idempotency/idempotency-store.ts';
import { purgeEndedSessions, purgeExpiredSignIns } from '../access/sessions/session-store.ts';
import { aggregateAllBrands, aggregateWindowJob } from '../analytics/aggregation/aggregation-service.ts';
import { dayOf } from '../analytics/day.ts';
import { settleDirectoryChangesJob, settleOptInsJob } from '../analytics/directory-changes/settle-changes.ts';
import { applyFeedsJob } from '../catalog/feeds/apply-feeds.ts';
import { applyRetention } from '../retention/apply-retention.ts';
import { doctorRunJob } from './doctor-runs/doctor-run.ts';
import type { AnyLongJob, AnyQueuedJob, ScheduledJob } from './job.ts';

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
    run: async (context) => ({ ...(await aggregateAllBrands(context)) }),
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
