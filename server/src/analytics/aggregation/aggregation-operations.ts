import { type Static, Type } from 'typebox';
import { NamedObject, Nullable } from '../../api/field-schemas.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { findBrandNames, listBrandIds } from '../../brands/brand-store.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { ApiError } from '../../errors/api-error.ts';
import { longWriteOperation, readOperation } from '../analytics-context.ts';
import { countDays, type DayRange, yesterdayOf } from '../day.ts';
import type { AggregationResult } from '../store/days-store.ts';
import { AggregationTooLong } from '../store/engine.ts';
import { type AggregationContext, aggregateRange, queueWindow, windowQueue } from './aggregation-service.ts';
import {
  AggregateDaysBody,
  AggregatedDayWire,
  AggregationJobWire,
  AggregationWire,
  aggregatedDayExample,
  aggregatedDayToWire,
  aggregationExample,
  aggregationJobExample,
  aggregationRange,
  DatasetDaysQuery,
  DatasetDayWire,
  datasetDayExample,
  datasetDayToWire,
  daysOfQuery,
  maxDaysOfRequest,
} from './aggregation-wire.ts';

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
  access: 'one-brand',
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

export const listAggregatedDaysOperation = readOperation({
  id: 'listAggregatedDays',
  method: 'GET',
  path: '/brands/:id/aggregations',
  tag: 'Analytics',
  summary: 'List aggregated days',
  description:
    'Lists the aggregated days of the brand, newest first, with the number of rows in each dataset. A `dirty` day has received events since its aggregation, or lacks a learner who has opted back in; the next nightly run aggregates it again.',
  access: 'one-brand',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of days.',
      schema: listOf(AggregatedDayWire, 'AggregatedDayPage'),
      example: exampleListOf(aggregatedDayExample),
    },
  },
  errors: ['analytics_unavailable'],
  handle: async ({ database, analytics }, { params, query }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    return pageReply(query, (page) => analytics.listAggregatedDays(brandId, page), aggregatedDayToWire);
  },
});

/** Shows the calendar of a brand's datasets [internal-111]. */
export const listDatasetDaysOperation = readOperation({
  id: 'listDatasetDays',
  method: 'GET',
  path: '/brands/:id/dataset-days',
  tag: 'Analytics',
  summary: 'List the days of the datasets',
  description:
    'Lists every day of the range, newest first, with the state of its datasets; a day that was never aggregated has nulls. A range has at most 36,525 days.',
  access: 'one-brand',
  params: BrandParams,
  query: DatasetDaysQuery,
  responses: {
    200: {
      description: 'One page of days.',
      schema: listOf(DatasetDayWire, 'DatasetDayPage'),
      example: exampleListOf(datasetDayExample),
    },
  },
  errors: ['analytics_unavailable'],
  handle: async ({ database, analytics, clock }, { params, query }) => {
    const { page, total, range } = daysOfQuery(query, yesterdayOf(clock.now()));
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const days = range === null ? [] : await analytics.listDatasetDays(brandId, range);
    return { status: 200, body: { data: days.map(datasetDayToWire), meta: pageMeta(page, total) } };
  },
});

export const DatasetLagWire = NamedObject('DatasetLag', {
  brand_id: Type.Integer(),
  name: Type.String({ description: 'The name of the brand.' }),
  latest_date: Nullable(Type.String({ format: 'date' }), {
    description: 'The last aggregated day; null if nothing has been aggregated.',
  }),
  days_behind: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Days from `latest_date` to yesterday; null if nothing has been aggregated.',
  }),
  dirty_days: Type.Integer({ minimum: 0, description: 'Days with events that no aggregation has included.' }),
});

const datasetLagExample: Static<typeof DatasetLagWire> = {
  brand_id: 1,
  name: 'Maison Aurore',
  latest_date: '2026-03-01',
  days_behind: 0,
  dirty_days: 2,
};

/** Shows which brands are behind [internal-112]. */
export const listDatasetLagsOperation = readOperation({
  id: 'listDatasetLags',
  method: 'GET',
  path: '/dataset-lag',
  tag: 'Analytics',
  summary: 'List how far datasets are behind',
  description:
    'Lists all brands, those whose datasets are furthest behind first, then those with the most dirty days.',
  access: 'filtered-by-brand',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of brands.',
      schema: listOf(DatasetLagWire, 'DatasetLagPage'),
      example: exampleListOf(datasetLagExample),
    },
  },
  errors: ['analytics_unavailable'],
  handle: async ({ database, analytics, clock }, { query, brandIds: reach }) => {
    const page = pageOf(query);
    const yesterday = yesterdayOf(clock.now());
    const all = await listBrandIds(database);
    const brandIds = reach === null ? all : all.filter((id) => reach.includes(id));
    const lags = await analytics.listLags(brandIds, page);
    const names = await findBrandNames(
      database,
      lags.map(({ brandId }) => brandId),
    );
    const data = lags.map(({ brandId, latestDay, dirtyDays }) => ({
      brand_id: brandId,
      name: names.get(brandId) ?? '',
      latest_date: latestDay,
      days_behind: latestDay === null ? null : Math.max(0, countDays({ from: latestDay, to: yesterday }) - 1),
      dirty_days: dirtyDays,
    }));
    return { status: 200, body: { data, meta: pageMeta(page, brandIds.length) } };
  },
});
