import type {
  DailyQuery,
  DailyRow,
  DatasetPage,
} from '../../../../../server/src/analytics/store/datasets.ts';
import {
  dailyColumns,
  dailyRow,
  noMarket,
  packDataset,
} from '../../../../../server/src/analytics/store/packed-datasets.ts';
import { readWindowLayers } from '../coordination/read-window-layers.ts';
import { integer, listOf } from '../literals.ts';
import { type PageSource, packedOf } from './list-pages.ts';
import { publishedRows } from './page-statement.ts';

const packing = packDataset(['day', ...dailyColumns], ([day, ...rest]) =>
  dailyRow({
    day_text: day as string,
    ...Object.fromEntries(dailyColumns.map((column, place) => [column, rest[place] as number | string])),
  }),
);

/** See `AnalyticsEngine.listDaily`. Rows and total are of the same published layers, so they agree. */
export async function listDaily(
  { database, clickHouse }: PageSource,
  brandId: number,
  { range, of }: DailyQuery,
  { size, offset }: { readonly size: number; readonly offset: number },
): Promise<DatasetPage<DailyRow> & { total: number }> {
  const window = await readWindowLayers(database, brandId, 'daily', range);
  const marketIds = of === 'brand' ? [noMarket] : of.marketIds;
  const conditions = [`market_id in ${listOf(marketIds)}`];
  const rowsOf = (asked: readonly string[]) =>
    publishedRows({ dataset: 'daily', brandId, range, conditions, columns: asked }, window, 'day, market_id');
  const rows = rowsOf(packing.columns);
  if (rows === null || marketIds.length === 0) return { rows: [], total: 0, window: window.window };
  const [lines, totals] = await Promise.all([
    clickHouse.read(
      `select * from (${rows}) order by day, market_id limit ${integer(size)} offset ${integer(offset)}`,
    ),
    clickHouse.numbers(`select count() as total from (${rowsOf(['day', 'market_id'])})`),
  ]);
  return { rows: packing.read(packedOf(lines)), total: totals[0] ?? 0, window: window.window };
}
