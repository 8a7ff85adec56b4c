import { recordAudit } from '../../audit/audit-store.ts';
import type { Initiator } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import type { DayRange } from '../day.ts';
import { type WindowJobData, windowKey, windowQueue } from './aggregate-window-job.ts';

/**
 * Queues the aggregation of a window and writes the audit entry, in one transaction. Returns the job's id. A waiting
 * window is not queued twice. A running job may have passed days that have changed since, so another job is queued
 * behind it.
 */
export async function queueWindow(
  { database, clock, jobs }: Pick<AnalyticsContext, 'database' | 'clock' | 'jobs'>,
  brandId: number,
  range: DayRange,
  initiator: Initiator,
): Promise<string> {
  const data: WindowJobData = {
    brand_id: brandId,
    from: range.from,
    to: range.to,
    requested_at: new Date(clock.now()).toISOString(),
  };
  const id = await database.forBrand(brandId).auditedTransaction(initiator, async (tx) => {
    const jobId = await jobs.sendOnce(tx, { queue: windowQueue, key: windowKey(brandId, range), data });
    await recordAudit(tx, {
      action: 'analytics.aggregate',
      brandId,
      resourceType: 'aggregation',
      resourceId: `${range.from}/${range.to}`,
      details: { job_id: jobId },
    });
    return jobId;
  });
  jobs.wake(windowQueue);
  return id;
}
