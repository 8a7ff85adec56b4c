import { recordAudit } from '../../../audit/audit-store.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { longWriteOperation } from '../../analytics-operation.ts';
import { countDays, type DayRange, yesterdayOf } from '../../day.ts';
import type { AggregationResult } from '../../store/days-store.ts';
import { AggregationTooLong } from '../../store/engine.ts';
import { queueWindow, windowQueue } from '../aggregate-window-job.ts';
import { type AggregationContext, aggregateRange } from '../aggregation-service.ts';
import {
  AggregateDaysBody,
  AggregationJobWire,
  AggregationWire,
  aggregationExample,
  aggregationJobExample,
  aggregationRange,
  maxDaysOfRequest,
} from '../aggregation-wire.ts';

/** A day with a million events takes 24 s on two cores. */
const requestLimitMs = 60_000;

/** Aggregates days on request [internal-40] [internal-41]. */
export const aggregateDaysOperation = longWriteOperation({
  id: 'aggregateDays',
  method: 'POST',
  path: '/brands/:id/aggregations',
  tag: 'Analytics',
  summary: 'Aggregate days',
  description:
    'Aggregates (or re-aggregates) these days into all four datasets, and corrects every later cumulative total, in one transaction: readers see either all of it or none. Responds after the commit, and waits for a running aggregation of the same brand. Safe to repeat; a client disconnect has no effect.\n\nA window of more than 31 days runs as a job, as does one that takes longer than a minute: the response is 202 with the job’s id. The job aggregates the window in order, some days per transaction, and resumes after a restart.\n\nDays whose raw events were dropped cannot be aggregated: a window with such a day is 409 `conflict`.',
  access: 'brand',
  params: BrandParams,
  body: AggregateDaysBody,
  idempotency: 'optional',
  bodyExample: { from: '2026-03-01', to: '2026-03-01' },
  responses: {
    200: { description: 'The rows written.', schema: AggregationWire, example: aggregationExample },
    202: {
      description: 'The aggregation runs as a job.',
      schema: AggregationJobWire,
      example: aggregationJobExample,
    },
  },
  errors: ['analytics_unavailable', 'conflict'],
  handle: async (context, { params, body, commit }) => {
    const { database, clock, jobs } = context;
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const range = aggregationRange(body, yesterdayOf(clock.now()));
    await requireEvents(context, range);
    const result = await aggregateNow(context, brandId, range);
    const outcome = await commit(brandId, async (tx) => {
      const jobId = result === null ? await queueWindow(tx, context, brandId, range) : null;
      await recordAudit(tx, {
        action: 'analytics.aggregate',
        brandId,
        resourceType: 'aggregation',
        resourceId: `${range.from}/${range.to}`,
        details: result === null ? { job_id: jobId } : { days: result.days },
      });
      return result === null
        ? { status: 202, body: { job_id: jobId as string } }
        : { status: 200, body: result };
    });
    if (result === null) jobs.wake(windowQueue);
    return outcome;
  },
});

/** @throws ApiError `conflict` if the raw events of a day were dropped [internal-44] */
async function requireEvents({ analytics }: AggregationContext, { from }: DayRange): Promise<void> {
  const first = await analytics.findFirstDayWithEvents();
  if (first === null || from >= first) return;
  throw new ApiError('conflict', {
    message: `The events of days before ${first} were dropped: these days cannot be aggregated again.`,
  });
}

/** Returns null if the window is too long for a request, or exceeded the limit, with nothing changed. */
async function aggregateNow(
  context: AggregationContext,
  brandId: number,
  range: DayRange,
): Promise<AggregationResult | null> {
  if (countDays(range) > maxDaysOfRequest) return null;
  try {
    return await aggregateRange(context, brandId, range, { limitMs: requestLimitMs });
  } catch (error) {
    if (error instanceof AggregationTooLong) return null;
    throw error;
  }
}
