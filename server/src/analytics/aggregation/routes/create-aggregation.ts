import { recordAudit } from '../../../access/audit/audit-store.ts';
import { readOperation } from '../../../api/operation.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { yesterdayOf } from '../../day.ts';
import type { AggregationResult } from '../../store/aggregation-types.ts';
import { aggregateRange } from '../aggregation-service.ts';
import {
  AggregateBody,
  AggregationWire,
  aggregationExample,
  aggregationRange,
  aggregationToWire,
} from '../aggregation-wire.ts';

/**
 * Internal surface, Aggregation. A "read" only in that the server opens no transaction around it: it takes longer than
 * one of the main database may stay open.
 */
export const createAggregationOperation = readOperation({
  id: 'aggregateDays',
  method: 'POST',
  path: '/brands/:id/aggregations',
  tag: 'Analytics',
  summary: 'Aggregate days now',
  description:
    'Makes (again) the rows of these days in all four datasets, and corrects every later cumulative figure, in one transaction: readers see all of it or nothing. Answers when it is committed, and waits for an aggregation of the brand that is already running. Safe to repeat.',
  access: 'admin',
  params: BrandParams,
  body: AggregateBody,
  bodyExample: { from: '2026-03-01', to: '2026-03-01' },
  responses: {
    200: { description: 'What was written.', schema: AggregationWire, example: aggregationExample },
  },
  errors: ['analytics_unavailable'],
  async handle(context, { params, body }) {
    const { database, clock } = context;
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const range = aggregationRange(body, yesterdayOf(clock.now()));
    const result = (await aggregateRange(context, brandId, range)) as AggregationResult;
    await database.transaction((tx) =>
      recordAudit(tx, {
        action: 'analytics.aggregate',
        brandId,
        resourceType: 'aggregation',
        resourceId: `${range.from}/${range.to}`,
        details: { days: result.days },
      }),
    );
    return { status: 200, body: aggregationToWire(result) };
  },
});
