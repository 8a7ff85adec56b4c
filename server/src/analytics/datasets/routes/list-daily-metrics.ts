import { type Static, Type } from 'typebox';
import { ExactFilter } from '../../../api/field-schemas.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { invalidField, notFound } from '../../../errors/api-error.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { readOperation } from '../../analytics-operation.ts';
import { yesterdayOf } from '../../day.ts';
import { findDirectoryVersion, listMarketIds } from '../../queries/directory-parts.ts';
import { DailyRowWire, dailyRowExample, dailyRowToWire } from '../daily-wire.ts';
import { windowQuery } from '../dataset-parameters.ts';
import { readPageVersion, versionedPage, windowHeaders } from '../page-version.ts';
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
      headers: windowHeaders,
      schema: listOf(DailyRowWire),
      example: exampleListOf(dailyRowExample),
    },
  },
  errors: ['not_found', 'date_range_too_large', 'analytics_unavailable'],
  handle: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { database, analytics, clock } = context;
    const { range, isByMarket } = requestOf(query, clock);
    // Read before the markets.
    const directory = isByMarket ? await findDirectoryVersion(database, brandId) : null;
    const tuIds = isByMarket ? await listMarkets(database, brandId, query.market) : new Map<number, string>();

    const page = pageOf(query);
    const of = isByMarket ? { marketIds: [...tuIds.keys()] } : 'brand';
    const { rows, total, window } = await analytics.listDaily(brandId, { range, of }, page);
    const data = rows.map((row) =>
      dailyRowToWire(row, row.marketId === null ? null : (tuIds.get(row.marketId) ?? null)),
    );
    const { headers, version } = versionedPage(
      { range, window, directory },
      { next_cursor: null },
      clock.now(),
    );
    return { status: 200, body: { data, meta: pageMeta(page, total) }, headers, version };
  },
  currentVersion: async (context, { caller, query }) => {
    const { brandId } = caller;
    const { range, isByMarket } = requestOf(query, context.clock);
    if (isByMarket) await listMarkets(context.database, brandId, query.market);
    return readPageVersion(context, brandId, { dataset: 'daily', range, showsDirectory: isByMarket });
  },
});

/** @throws ApiError `validation_failed`, `date_range_too_large` */
function requestOf(query: Static<typeof DailyQuery>, clock: Clock) {
  const { market, group_by: groupBy } = query;
  if (market !== undefined && groupBy !== undefined)
    throw invalidField('market', 'must not be combined with `group_by`');
  const yesterday = yesterdayOf(clock.now());
  const range = servedPart(resolveWindow(query, windowRules, yesterday), yesterday);
  return { range, isByMarket: groupBy === 'market' || market !== undefined };
}

/** @throws ApiError `not_found` if the brand has no such market */
async function listMarkets(database: Queryable, brandId: number, market: string | undefined) {
  const tuIds = await listMarketIds(database, brandId, market);
  if (market !== undefined && tuIds.size === 0) throw notFound();
  return tuIds;
}
