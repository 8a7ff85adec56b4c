import { Type } from 'typebox';
import type { Operation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageQuery, pageReply } from '../../api/pagination.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import { readOperation } from '../analytics-operation.ts';
import { yesterdayOf } from '../day.ts';
import { AggregatedDayWire, aggregatedDayExample, aggregatedDayToWire } from './aggregation-wire.ts';
import {
  DatasetDaysQuery,
  DatasetDayWire,
  datasetDayExample,
  datasetDayToWire,
  daysOfQuery,
} from './dataset-day-wire.ts';

const listAggregatedDaysOperation = readOperation({
  id: 'listAggregatedDays',
  method: 'GET',
  path: '/brands/:id/aggregations',
  tag: 'Analytics',
  summary: 'List aggregated days',
  description:
    'Lists the aggregated days of the brand, newest first, with the number of rows in each dataset. A `dirty` day has received events since its aggregation, or lacks a learner who has opted back in; the next nightly run aggregates it again.',
  access: 'brand',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of days.',
      schema: listOf(AggregatedDayWire),
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
const listDatasetDaysOperation = readOperation({
  id: 'listDatasetDays',
  method: 'GET',
  path: '/brands/:id/dataset-days',
  tag: 'Analytics',
  summary: 'List the days of the datasets',
  description:
    'Lists every day of the range, newest first, with the state of its datasets; a day that was never aggregated has nulls. A range has at most 36,525 days.',
  access: 'brand',
  params: BrandParams,
  query: DatasetDaysQuery,
  responses: {
    200: {
      description: 'One page of days.',
      schema: listOf(DatasetDayWire),
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

export const datasetDayOperations: readonly Operation<AnalyticsContext>[] = [
  listAggregatedDaysOperation, // GET /brands/:id/aggregations
  listDatasetDaysOperation, //    GET /brands/:id/dataset-days
];
