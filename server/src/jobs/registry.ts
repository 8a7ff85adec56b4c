import { purgeExpiredIdempotencyRecords } from '../access/idempotency/purge-expired.ts';
import type { ServiceContext } from '../api/operation.ts';

/** Work that runs by the clock, once over all processes at each time. It must be safe to run again after a crash. */
export interface ScheduledJob {
  /** Also the queue's name. */
  readonly name: string;
  /** Five fields, UTC. */
  readonly cron: string;
  /** Runs the job; what it answers is logged. */
  run(context: ServiceContext): Promise<Record<string, unknown>>;
}

/** Every job of the service. */
export const scheduledJobs: readonly ScheduledJob[] = [
  {
    name: 'purge-idempotency-records',
    cron: '7 * * * *',
    run: async ({ database, clock }) => ({ purged: await purgeExpiredIdempotencyRecords(database, clock) }),
  },
];
