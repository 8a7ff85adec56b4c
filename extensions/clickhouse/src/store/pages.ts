import { type Day, type DayRange, dayNumberOf, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import { type DatasetRows, noMarket, rowsOf } from '../../../../server/src/analytics/store/dataset-rows.ts';
import {
  type DatasetName,
  type DatasetPage,
  type KeysetDataset,
  shapeOf,
  valuesOfKey,
} from '../../../../server/src/analytics/store/datasets.ts';
import type { AnalyticsEngine, PageAfter } from '../../../../server/src/analytics/store/engine.ts';
import type { Queryable } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from './clickhouse.ts';
import { notHidden } from './hidden-learner-store.ts';
import { type PublishedWindow, publishedOf, readPublishedWindow } from './published-store.ts';
import { integer, listOf, monthOf, within } from './schema.ts';

type PageMethods = Pick<AnalyticsEngine, 'listDaily' | 'listRows'>;

/** Pages of the datasets: a look-up in PostgreSQL, then a query in ClickHouse. */
export function pageMethods(clickHouse: ClickHouse): PageMethods {
  return {
    /** Rows and total are of the same published rows, so they agree. */
    async listDaily(database, brandId, { range, of }, { size, offset }) {
      const marketIds = of === 'brand' ? [noMarket] : of.marketIds;
      const ofMarkets = `market_id in ${listOf(marketIds)}`;
      const conditions = [ofMarkets];
      const rows: PageRows = {
        dataset: 'daily',
        brandId,
        range,
        conditions,
        columns: rowsOf('daily').columns,
      };
      const state = await readPublishedWindow(database, brandId, 'daily', range);
      const ofBrand = publishedRows(rows, state);
      if (ofBrand === null || marketIds.length === 0) return { rows: [], total: 0, window: state.window };
      const [lines, [total = 0]] = await Promise.all([
        clickHouse.read(
          withTotals(rows, `${ofBrand} and ${ofMarkets}`, `limit ${integer(size)} offset ${integer(offset)}`),
        ),
        clickHouse.numbers(`select count() as total ${ofBrand} and ${asked(rows)}`),
      ]);
      return { rows: rowsFrom(lines, rowsOf('daily')), total, window: state.window };
    },

    async listRows(database, brandId, dataset, { after, limit, ...query }) {
      const { range, learnerId, contentType, contentRefId, isCompleted } = query;
      const conditions = [
        ...equal('user_id', learnerId),
        ...ofType(contentType),
        ...equal('content_ref_id', contentRefId),
        ...(isCompleted === undefined ? [] : [isCompleted ? 'completions > 0' : 'completions = 0']),
      ];
      const shown = rowsOf(dataset);
      const rows = { dataset, brandId, range, conditions, columns: shown.columns };
      return readPage({ database, clickHouse }, rows, { after, limit }, shown);
    },
  };
}

interface PageRows<Name = DatasetName> {
  readonly dataset: Name;
  readonly brandId: number;
  readonly range: DayRange;
  /** Conditions on columns of the dataset. */
  readonly conditions: readonly string[];
  readonly columns: readonly string[];
}

type PageKey = readonly (number | Day)[];

/**
 * Reads a page after a key. Finds the keys of its rows first. The table has the order of the pages, so ClickHouse reads from the
 * key until the page is full.
 */
async function readPage<Row>(
  { database, clickHouse }: { readonly database: Queryable; readonly clickHouse: ClickHouse },
  rows: PageRows<KeysetDataset>,
  { after, limit }: PageAfter,
  shown: DatasetRows<Row>,
): Promise<DatasetPage<Row>> {
  const state = await readPublishedWindow(database, rows.brandId, rows.dataset, rows.range);
  const ofBrand = publishedRows(rows, state);
  if (ofBrand === null) return { rows: [], window: state.window };
  const { order, keys } = shapeOf(rows.dataset);
  const conditions =
    after === null
      ? rows.conditions
      : [...rows.conditions, following(order, valuesOfKey(rows.dataset, after))];
  const page = { ...rows, conditions };
  const keyList = keys.join(', ');
  const first = `limit ${integer(limit)}`;
  const ofPage = `select ${keyList} ${ofBrand} and ${asked(page)} order by ${order.join(', ')} ${first}`;
  const lines = await clickHouse.read(withTotals(page, `${ofBrand} and (${keyList}) in (${ofPage})`, first));
  return { rows: rowsFrom(lines, shown), window: state.window };
}

/** The end of a select of all rows that readers see up to the end of the window; null if nothing is published. */
function publishedRows(
  { dataset, brandId, range }: PageRows,
  { published, hidden }: PublishedWindow,
): string | null {
  const isPublished = publishedOf(published);
  if (isPublished === null) return null;
  return `from ${dataset} where brand_id = ${integer(brandId)} and month <= ${monthOf(range.to)} and day <= ${dayNumberOf(range.to)}
    and ${isPublished}${notHidden(shapeOf(dataset), hidden)}`;
}

/** A condition on the rows of the page. */
function asked({ range, conditions }: PageRows): string {
  return [within(range), ...conditions].join(' and ');
}

/**
 * The select of a page: adds up the rows of its keys so far, and keeps those that were asked for.
 * @param ofKeys the end of a select of all rows of the keys
 */
function withTotals(rows: PageRows, ofKeys: string, limit: string): string {
  const { keys, order, cumulated } = shapeOf(rows.dataset);
  const shown = rows.columns.map((column) => column.replace(/^cumulative_(.*)$/, 'so_far_$1 as $&'));
  return `select ${shown.join(', ')} from (
      select *, ${cumulated.map((column) => `sum(${column}) over so_far as so_far_${column}`).join(', ')} ${ofKeys}
      window so_far as (partition by ${keys.join(', ')} order by day rows between unbounded preceding and current row)
    ) where ${asked(rows)} order by ${order.join(', ')} ${limit}`;
}

/** Written as nested alternatives: ClickHouse finds their ranges in the index, unlike those of compared tuples. */
function following(order: readonly string[], key: PageKey): string {
  const from = (place: number): string => {
    const value = key[place] as number | Day;
    const number = typeof value === 'string' ? dayNumberOf(value) : integer(value);
    const later = `${order[place]} > ${number}`;
    return place === order.length - 1
      ? later
      : `(${later} or (${order[place]} = ${number} and ${from(place + 1)}))`;
  };
  return from(0);
}

/** Reads lines of comma-separated values: days as numbers, exact sums, and counts. */
function rowsFrom<Row>(lines: string, { columns, rowOf }: DatasetRows<Row>): Row[] {
  if (lines === '') return [];
  return lines.split('\n').map((line) => {
    const values = line.split(',');
    const row: Record<string, number | string> = {};
    for (const [place, column] of columns.entries()) {
      const value = values[place] ?? '';
      if (column === 'day') row[column] = dayOfNumber(Number(value));
      else row[column] = column.endsWith('_sum') ? value : Number(value);
    }
    return rowOf(row);
  });
}

function equal(column: string, value: number | undefined): string[] {
  return value === undefined ? [] : [`${column} = ${integer(value)}`];
}

/** No content has a type of another form, and the form needs no quoting [internal-37]. */
function ofType(contentType: string | undefined): string[] {
  if (contentType === undefined) return [];
  return [/^[a-z_]{1,32}$/.test(contentType) ? `content_type = '${contentType}'` : 'false'];
}
