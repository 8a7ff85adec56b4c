import type { Queryable } from '../../../postgres/database.ts';
import type { PackedRow } from '../../../postgres/packed-rows.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import type { DayRange } from '../../day.ts';
import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
  ContentKey,
  ContentQuery,
  ContentRow,
  DailyQuery,
  DailyRow,
  DatasetName,
  DatasetPage,
  LearnerDayKey,
  LearnerDayQuery,
  LearnerDayRow,
} from '../datasets.ts';
import type { PageAfter } from '../engine.ts';
import {
  contentKey,
  contentRows,
  type DatasetRow,
  dailyColumns,
  dailyRow,
  dayColumn,
  engagementKey,
  engagementRows,
  learnerDayKey,
  learnerDayRows,
  noMarket,
  numberOf,
  type PackedDataset,
} from '../packed-datasets.ts';
import { type WindowRow, windowColumns, windowState } from '../revisions-store.ts';

export interface PageFilter {
  /** A letter that is unique in the dataset. */
  readonly code: string;
  readonly column: string;
  readonly value: string | number | undefined;
}

export interface KeysetPage {
  /** Also the table's name. */
  readonly dataset: DatasetName;
  /** The packed rows, the key first. */
  readonly rows: Pick<PackedDataset<unknown>, 'columns' | 'sql'>;
  /** The key without the brand, including the day. */
  readonly key: readonly [string, ...string[]];
  readonly brandId: number;
  readonly range: DayRange;
  readonly filters: readonly PageFilter[];
  /** A condition without a value, with a letter that is unique in the dataset. */
  readonly also?: { readonly code: string; readonly sql: string } | undefined;
  readonly after: readonly (string | number)[] | null;
  readonly limit: number;
}

/** The largest window in rows that is read and sorted, which takes some 5 ms. Larger ones are read in key order. */
const smallWindow = 5_000;

/**
 * Builds the statement of a page and of the state of its window; its name lists its conditions. The cost is proportional to the
 * page: few rows are read by day and sorted, many in page order, as the day records decide. A page after a key is two index
 * ranges: the rest of the key's first column, and the columns after it.
 */
function keysetPage(page: KeysetPage): Statement<PackedRow & WindowRow> {
  const { dataset, key, also, after } = page;
  const columns = page.rows.columns.join(', ');
  const values: unknown[] = [page.brandId, page.range.from, page.range.to, page.limit];
  const parameter = (column: string, value: unknown) =>
    `$${values.push(value)}${column === 'day' ? '::date' : ''}`;
  const filters = page.filters.filter(({ value }) => value !== undefined);
  const rowsOn = (day: string) =>
    [
      `select ${columns} from analytics.${dataset} where brand_id = $1 and ${day} between $2::date and $3::date`,
      ...conditions,
    ].join(' and ');
  const conditions = [
    ...filters.map(({ column, value }) => `${column} = ${parameter(column, value)}`),
    ...(also === undefined ? [] : [also.sql]),
  ];
  const rows = rowsOn('day');
  // For one learner, or one content in a dataset with a row for each day. `+ 0`: without statistics, the index by day looks as
  // good as that of the key, but finds all rows of the window.
  const rowsOfOne = rowsOn('day + 0');
  const inOrder = `order by ${key.join(', ')} limit $4`;

  const [first, ...rest] = key;
  const hasFirst = filters.some(({ column }) => column === first);
  const start = after?.map((value, place) =>
    place === 0 && hasFirst ? '' : parameter(key[place] as string, value),
  );
  const later = start && `(${rest.join(', ')}) > (${start.slice(1).join(', ')})`;
  const isOne = filters.some(({ column }) => column === 'user_id' || (column === first && rest.length === 1));
  const isAfter = start === undefined ? 'true' : `(${key.join(', ')}) > (${start.join(', ')})`;
  const parts = (further: string) => {
    if (start === undefined) return `(${isOne ? rowsOfOne : rows} ${further} ${inOrder})`;
    if (hasFirst || isOne)
      return `(${isOne ? rowsOfOne : rows} and ${hasFirst ? later : isAfter} ${further} ${inOrder})`;
    return `(${rest.length === 1 ? rowsOfOne : rows} and ${first} = ${start[0]} and ${later} ${further} ${inOrder})
      union all (${rows} and ${first} > ${start[0]} ${further} ${inOrder})`;
  };
  // Filters by one learner or one content have an index for any window.
  const isNarrow = filters.some(({ column }) => column === 'user_id' || column === 'content_ref_id');
  const text = isNarrow
    ? parts('')
    : `(select ${columns}
        from (${rows} and ${isAfter} and (select rows from extent) <= ${smallWindow} offset 0) as few ${inOrder})
      union all
      ${parts(`and (select rows from extent) > ${smallWindow}`)}`;
  const extent = `with extent as materialized (
      select coalesce(sum((d.row_counts ->> '${dataset}')::bigint), 0) as rows from analytics.brand_days d
      where d.brand_id = $1 and d.day between $2::date and $3::date
    )`;
  const code = [...filters, ...(also === undefined ? [] : [also])].map((part) => part.code).join('');
  return statement(
    `page_${dataset}/${code}${start === undefined ? '' : '>'}`,
    `${isNarrow ? '' : extent}
     select ${[`coalesce(string_agg(${page.rows.sql}, ''), '') as packed`, ...windowColumns(dataset)].join(', ')}
     from (select ${columns} from (${text}) as page ${inOrder}) as rows`,
    values,
    { long: true },
  );
}

async function readPage<Row>(
  database: Queryable,
  page: KeysetPage & { readonly rows: PackedDataset<Row> },
): Promise<DatasetPage<Row>> {
  const reply = await database.run(keysetPage(page));
  return { rows: page.rows.read(reply[0]?.packed ?? ''), window: windowState(reply) };
}

export function listContents(
  database: Queryable,
  brandId: number,
  { range, contentType, contentRefId }: ContentQuery,
  { after, limit }: PageAfter<ContentKey>,
): Promise<DatasetPage<ContentRow>> {
  return readPage(database, {
    dataset: 'contents',
    rows: contentRows,
    key: contentKey,
    brandId,
    range,
    limit,
    filters: [
      { code: 't', column: 'content_type', value: contentType },
      { code: 'c', column: 'content_ref_id', value: contentRefId },
    ],
    after: after && [after.contentRefId, after.day],
  });
}

export function listLearnerDays(
  database: Queryable,
  brandId: number,
  { range, learnerId }: LearnerDayQuery,
  { after, limit }: PageAfter<LearnerDayKey>,
): Promise<DatasetPage<LearnerDayRow>> {
  return readPage(database, {
    dataset: 'users',
    rows: learnerDayRows,
    key: learnerDayKey,
    brandId,
    range,
    limit,
    filters: [{ code: 'u', column: 'user_id', value: learnerId }],
    after: after && [after.learnerId, after.day],
  });
}

const completed = { code: 'd', sql: 'completions > 0' };
const open = { code: 'o', sql: 'completions = 0' };

export function listContentEngagement(
  database: Queryable,
  brandId: number,
  { range, learnerId, contentType, contentRefId, isCompleted }: ContentEngagementQuery,
  { after, limit }: PageAfter<ContentEngagementKey>,
): Promise<DatasetPage<ContentEngagementRow>> {
  return readPage(database, {
    dataset: 'content_engagement',
    rows: engagementRows,
    key: engagementKey,
    brandId,
    range,
    limit,
    filters: [
      { code: 'u', column: 'user_id', value: learnerId },
      { code: 't', column: 'content_type', value: contentType },
      { code: 'c', column: 'content_ref_id', value: contentRefId },
    ],
    also: isCompleted === undefined ? undefined : isCompleted ? completed : open,
    after: after && [after.contentRefId, after.day, after.learnerId],
  });
}

const dailyRowColumns = [dayColumn, ...dailyColumns].join(', ');

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
       left join lateral (select ${dailyRowColumns} ${matching} order by day, market_id limit $5 offset $6) d on true
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
