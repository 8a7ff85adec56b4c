import type { Queryable } from '../../../../postgres/database.ts';
import { statement } from '../../../../postgres/statement.ts';
import { type WindowRow, windowColumns, windowState } from '../../coordination/window-state.ts';
import type { DailyQuery, DailyRow, DatasetPage } from '../../dataset-rows.ts';
import {
  type DatasetRow,
  dailyColumns,
  dailyRow,
  dayColumn,
  noMarket,
  numberOf,
} from '../../rows/daily-row.ts';

const columns = [dayColumn, ...dailyColumns].join(', ');

const matching = `from analytics.daily
  where brand_id = $1 and day between $2::date and $3::date and market_id = any($4::bigint[])`;

/** One statement, so that rows, total and window are consistent. */
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
