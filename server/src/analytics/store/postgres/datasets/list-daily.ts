import type { Queryable } from '../../../../postgres/database.ts';
import { statement } from '../../../../postgres/statement.ts';
import { type WindowRow, windowColumns, windowState } from '../../coordination/window-state.ts';
import { countedTypes, type DailyQuery, type DailyRow, type DatasetPage } from '../../dataset-rows.ts';
import { byType, countsOf, type DatasetRow, dayColumn, meanOf, numberOf, textOf } from './row-parts.ts';

const typeColumns = [
  'views',
  'completions',
  'successes',
  'time_spent_seconds',
  'progress_sum',
  'progress_count',
  'score_sum',
  'score_count',
];
const columns = `market_id, ${dayColumn}, live_episodes, live_programs, live_quests, live_products, active_users, views,
  completions, successes, xp_earned, time_spent_seconds,
  ${countedTypes.flatMap((type) => typeColumns.map((column) => `${type}_${column}`)).join(', ')},
  cumulative_views, cumulative_completions, cumulative_successes, cumulative_xp_earned`;

/** Brand-level rows. */
const noMarket = 0;

const matching = `from analytics.daily
  where brand_id = $1 and day between $2::date and $3::date and market_id = any($4::bigint[])`;

/** See `AnalyticsStore.listDaily`. One statement, so that rows, total and window are consistent. */
export async function listDaily(
  database: Queryable,
  brandId: number,
  { range, of }: DailyQuery,
  page: { readonly size: number; readonly offset: number },
): Promise<DatasetPage<DailyRow> & { total: number }> {
  const marketIds = of === 'brand' ? [noMarket] : of.marketIds;
  const rows = await database.run(
    statement<DatasetRow & WindowRow>(
      'list_daily_rows',
      `select t.total, ${windowColumns('daily').join(', ')}, d.*
       from (select count(*) as total ${matching}) t
       left join lateral (select ${columns} ${matching} order by day, market_id limit $5 offset $6) d on true
       order by d.day_text, d.market_id`,
      [brandId, range.from, range.to, marketIds, page.size, page.offset],
      { long: true },
    ),
  );
  return {
    rows: rows.filter((row) => row['day_text'] !== null).map(dailyRow),
    total: rows[0] === undefined ? 0 : numberOf(rows[0], 'total'),
    window: windowState(rows),
  };
}

function dailyRow(row: DatasetRow): DailyRow {
  const marketId = numberOf(row, 'market_id');
  return {
    day: textOf(row, 'day_text'),
    marketId: marketId === noMarket ? null : marketId,
    liveContent: {
      episodes: numberOf(row, 'live_episodes'),
      programs: numberOf(row, 'live_programs'),
      quests: numberOf(row, 'live_quests'),
      products: numberOf(row, 'live_products'),
    },
    activeLearners: numberOf(row, 'active_users'),
    totals: {
      ...countsOf(row),
      xpEarned: numberOf(row, 'xp_earned'),
      timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    },
    types: byType((type) => ({
      ...countsOf(row, `${type}_`),
      timeSpentSeconds: numberOf(row, `${type}_time_spent_seconds`),
      progress: meanOf(row, `${type}_progress`),
      score: meanOf(row, `${type}_score`),
    })),
    cumulative: { ...countsOf(row, 'cumulative_'), xpEarned: numberOf(row, 'cumulative_xp_earned') },
  };
}
