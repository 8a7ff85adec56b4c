import { Type } from 'typebox';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { readOperation } from '../../analytics-operation.ts';
import { AggregatedDayWire, aggregatedDayExample, aggregatedDayToWire } from '../aggregation-wire.ts';

export const listAggregatedDaysOperation = readOperation({
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
