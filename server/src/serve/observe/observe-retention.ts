import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { collectGauge } from '../../http/metrics.ts';
import { RememberedReading } from '../../lib/remembered-reading.ts';
import type { Database } from '../../postgres/database.ts';
import type { RetentionObserver } from '../../retention/apply-retention.ts';
import { formatKeep, policySettings } from '../../retention/policy-settings.ts';
import { listRetentionRuns } from '../../retention/retention-run-store.ts';

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
