import type { Queryable } from '../../../postgres/database.ts';
import type { JsonRowsValue } from '../../../postgres/json-rows.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import { type DailyRow, type DatasetRow, noMarket, rowsOf } from '../dataset-rows.ts';
import {
  type DailyQuery,
  type DatasetPage,
  type KeysetDataset,
  type KeysetQuery,
  shapeOf,
  valuesOfKey,
} from '../datasets.ts';
import type { PageAfter } from '../engine.ts';
import { type WindowRow, windowColumns, windowState } from '../revisions-store.ts';

interface KeysetPage extends KeysetQuery, PageAfter {
  readonly brandId: number;
}

/** The conditions of a page: a letter for the statement's name, and the SQL. */
function conditionsOf(
  { learnerId, contentType, contentRefId, isCompleted }: KeysetPage,
  parameter: (value: unknown) => string,
): (readonly [string, string])[] {
  const equal = (code: string, column: string, value: unknown) =>
    value === undefined ? [] : [[code, `${column} = ${parameter(value)}`] as const];
  return [
    ...equal('u', 'user_id', learnerId),
    ...equal('t', 'content_type', contentType),
    ...equal('c', 'content_ref_id', contentRefId),
    ...(isCompleted === undefined ? [] : [isCompleted ? completed : open]),
  ];
}

const completed = ['d', 'completions > 0'] as const;
const open = ['o', 'completions = 0'] as const;

/** The largest window in rows that is read and sorted, which takes some 5 ms. Larger ones are read in key order. */
const smallWindow = 5_000;

/**
 * Builds the statement of a page and of the state of its window; its name lists its conditions. The cost is proportional to the
 * page: few rows are read by day and sorted, many in page order, as the day records decide. A page after a key is two index
 * ranges: the rest of the key's first column, and the columns after it.
 */
function keysetPage(
  dataset: KeysetDataset,
  page: KeysetPage,
): Statement<{ rows: JsonRowsValue } & WindowRow> {
  const { columns: names, json } = rowsOf(dataset);
  const { order: key } = shapeOf(dataset);
  const { brandId, range, after, limit, learnerId, contentRefId } = page;
  const columns = names.join(', ');
  const values: unknown[] = [brandId, range.from, range.to, limit];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = conditionsOf(page, parameter);
  const rowsOn = (day: string) =>
    [
      `select ${columns} from analytics.${dataset} where brand_id = $1 and ${day} between $2::date and $3::date`,
      ...conditions.map(([, condition]) => condition),
    ].join(' and ');
  const rows = rowsOn('day');
  // For one learner, or one content in a dataset with a row for each day. `+ 0`: without statistics, the index by day looks as
  // good as that of the key, but finds all rows of the window.
  const rowsOfOne = rowsOn('day + 0');
  const inOrder = `order by ${key.join(', ')} limit $4`;

  const [first, ...rest] = key;
  const isFixed = {
    content_ref_id: contentRefId !== undefined,
    user_id: learnerId !== undefined,
    market_id: false,
    day: false,
  };
  const hasFirst = isFixed[first];
  const start =
    after &&
    valuesOfKey(dataset, after).map((value, place) => {
      if (place === 0 && hasFirst) return '';
      return `${parameter(value)}${key[place] === 'day' ? '::date' : ''}`;
    });
  const later = start && `(${rest.join(', ')}) > (${start.slice(1).join(', ')})`;
  const isOne = isFixed.user_id || (hasFirst && rest.length === 1);
  const isAfter = start === null ? 'true' : `(${key.join(', ')}) > (${start.join(', ')})`;
  const parts = (further: string) => {
    if (start === null) return `(${isOne ? rowsOfOne : rows} ${further} ${inOrder})`;
    if (hasFirst || isOne)
      return `(${isOne ? rowsOfOne : rows} and ${hasFirst ? later : isAfter} ${further} ${inOrder})`;
    return `(${rest.length === 1 ? rowsOfOne : rows} and ${first} = ${start[0]} and ${later} ${further} ${inOrder})
      union all (${rows} and ${first} > ${start[0]} ${further} ${inOrder})`;
  };
  // Filters by one learner or one content have an index for any window.
  const isNarrow = isFixed.user_id || isFixed.content_ref_id;
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
  const code = conditions.map(([letter]) => letter).join('');
  return statement(
    `page_${dataset}/${code}${start === null ? '' : '>'}`,
    `${isNarrow ? '' : extent}
     select ${[`${json.aggregate(`select ${json.columns} from (${text}) as page ${inOrder}`)} as rows`, ...windowColumns(dataset)].join(', ')}`,
    values,
    { long: true },
  );
}

/** See `AnalyticsEngine.listRows`. */
export async function listRows<Name extends KeysetDataset>(
  database: Queryable,
  brandId: number,
  dataset: Name,
  query: KeysetQuery & PageAfter,
): Promise<DatasetPage<DatasetRow<Name>>> {
  const reply = await database.run(keysetPage(dataset, { ...query, brandId }));
  const { json, rowOf } = rowsOf(dataset);
  const rows = json.read(reply[0]?.rows ?? []).map(rowOf);
  return { rows, window: windowState(reply) };
}

const matching = `from analytics.daily
  where brand_id = $1 and day between $2::date and $3::date and market_id = any($4::bigint[])`;

/** One statement, so that rows, total and window are consistent. */
export async function listDaily(
  database: Queryable,
  brandId: number,
  { range, of }: DailyQuery,
  page: { readonly size: number; readonly offset: number },
): Promise<DatasetPage<DailyRow> & { total: number }> {
  const { json, rowOf } = rowsOf('daily');
  const marketIds = of === 'brand' ? [noMarket] : of.marketIds;
  const reply = await database.run(
    statement<WindowRow & { readonly rows: JsonRowsValue; readonly total: number }>(
      'list_daily_rows',
      `select (select count(*) ${matching}) as total, ${windowColumns('daily').join(', ')},
         ${json.aggregate(`select ${json.columns} ${matching} order by day, market_id limit $5 offset $6`)} as rows`,
      [brandId, range.from, range.to, marketIds, page.size, page.offset],
      { long: true },
    ),
  );
  const { rows = [], total = 0 } = reply[0] ?? {};
  return { rows: json.read(rows).map(rowOf), total, window: windowState(reply) };
}
