import { exampleListOf, listOf, pageMeta } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { readOperation } from '../../analytics-operation.ts';
import { yesterdayOf } from '../../day.ts';
import {
  DatasetDaysQuery,
  DatasetDayWire,
  datasetDayExample,
  datasetDayToWire,
  daysOfQuery,
} from '../dataset-day-wire.ts';

/** Shows the calendar of a brand's datasets [internal-111]. */
export const listDatasetDaysOperation = readOperation({
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
