import type { AuditedTransaction } from '../../postgres/transaction.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import type { DayRange } from '../day.ts';
import { type WindowJobData, windowKey, windowQueue } from './aggregate-window-job.ts';

/**
 * Queues the aggregation of a window, in the caller's transaction. Returns the job's id. A waiting window is not queued twice.
 * A running job may have passed days that have changed since, so another job is queued behind it.
 */
export function queueWindow(
  tx: AuditedTransaction,
  { clock, jobs }: Pick<AnalyticsContext, 'clock' | 'jobs'>,
  brandId: number,
  range: DayRange,
): Promise<string> {
  const data: WindowJobData = {
    brand_id: brandId,
    from: range.from,
    to: range.to,
    requested_at: new Date(clock.now()).toISOString(),
  };
  return jobs.sendOnce(tx, { queue: windowQueue, key: windowKey(brandId, range), data });
}
