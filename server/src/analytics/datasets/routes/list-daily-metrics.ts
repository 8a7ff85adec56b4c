import { Type } from 'typebox';
import { ExactFilter } from '../../../api/field-schemas.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { invalidField, notFound } from '../../../errors/api-error.ts';
import { readOperation } from '../../analytics-operation.ts';
import { yesterdayOf } from '../../day.ts';
import { listMarketIds } from '../../queries/list-markets.ts';
import { DailyRowWire, dailyRowExample, dailyRowToWire } from '../daily-wire.ts';
import { windowQuery } from '../dataset-parameters.ts';
import { resolveWindow, servedPart, type WindowRules } from '../window.ts';

const windowRules: WindowRules = { defaultDays: 30, capDays: 366 };

const DailyQuery = Type.Object({
  ...windowQuery(windowRules),
  market: ExactFilter({
    description:
      '`tu_id` of a market: returns its rows instead of the brand’s. 404 if the brand has no such market.',
    examples: ['de-north'],
  }),
  group_by: Type.Optional(
    Type.String({
      enum: ['market'],
      description:
        'Returns one row per market and day instead of the brand’s rows. Cannot be combined with `market`.',
      examples: ['market'],
    }),
  ),
  ...pageQuery,
});

/** Serves one of three granularities [analytics-11]. */
export const listDailyMetricsOperation = readOperation({
  id: 'listDailyMetrics',
  method: 'GET',
  path: '/metrics/daily',
  tag: 'Analytics',
  summary: 'List brand totals by day',
  description:
    'One row per aggregated day of the window, including days without activity, by day ascending. With `group_by=market`, one row per day and market of the brand.',
  access: ['analytics.metrics:read'],
  query: DailyQuery,
  responses: {
    200: {
      description: 'One page of days.',
      schema: listOf(DailyRowWire),
      example: exampleListOf(dailyRowExample),
    },
  },
  errors: ['not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async ({ database, clock, analytics }, { caller, query }) => {
    const { brandId } = caller;
    const { market, group_by: groupBy } = query;
    const isByMarket = groupBy === 'market' || market !== undefined;
    if (market !== undefined && groupBy !== undefined)
      throw invalidField('market', 'must not be combined with `group_by`');
    const yesterday = yesterdayOf(clock.now());
    const range = servedPart(resolveWindow(query, windowRules, yesterday), yesterday);
    const tuIds = isByMarket ? await listMarketIds(database, brandId, market) : new Map<number, string>();
    if (market !== undefined && tuIds.size === 0) throw notFound();

    const page = pageOf(query);
    const of = isByMarket ? { marketIds: [...tuIds.keys()] } : 'brand';
    const { rows, total } = await analytics.listDaily(brandId, { range, of }, page);
    const data = rows.map((row) =>
      dailyRowToWire(row, row.marketId === null ? null : (tuIds.get(row.marketId) ?? null)),
    );
    return { status: 200, body: { data, meta: pageMeta(page, total) } };
  },
});
