import { type Static, Type } from 'typebox';
import { Nullable } from '../../../api/field-schemas.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { readOperation } from '../../analytics-operation.ts';
import { countDays, yesterdayOf } from '../../day.ts';
import { listBrandIds, listBrandNames } from '../../queries/list-brand-ids.ts';

export const DatasetLagWire = Type.Object({
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
  access: 'brands',
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of brands.',
      schema: listOf(DatasetLagWire),
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
    const names = await listBrandNames(
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
