import { type Day, type DayRange, dayNumberOf, daysOf } from '../../../../server/src/analytics/day.ts';
import {
  type DatasetName,
  type DatasetShape,
  datasetNames,
  shapeOf,
} from '../../../../server/src/analytics/store/datasets.ts';

// Parts of statements, from numbers and days only.

/**
 * An SQL expression for the number of a batch or generation: milliseconds since 2025 and 13 bits of the transaction's id, so
 * that two transactions never have the same, also after a restore, and the number tells its age. Fits a JavaScript number
 * until 2059.
 */
export const writeNumber = (at = 'clock_timestamp()') =>
  `((floor(extract(epoch from ${at}) * 1000)::bigint - 1735689600000) * 8192 + pg_current_xact_id()::text::bigint % 8192)`;

/** A list of integers in brackets. An empty list would be a syntax error, so it holds a value that no column has. */
export function listOf(numbers: readonly number[]): string {
  return `(${numbers.length === 0 ? 'NULL' : numbers.map(integer).join(', ')})`;
}

export function integer(number: number): string {
  if (!Number.isSafeInteger(number)) throw new Error(`not an integer: ${number}`);
  return String(number);
}

/** An expression for the number that belongs to the value of a column; 0 for other values. */
export function numberFor(column: string, values: readonly number[], numbers: readonly number[]): string {
  const array = (all: readonly number[]) => `'[${all.map(integer).join(',')}]'::Array(Int64)`;
  return `transform(toInt64(${column}), ${array(values)}, ${array(numbers)}, toInt64(0))`;
}

/** The month of a day as `YYYYMM`, which is the partition of its rows. */
export function monthOf(day: Day): number {
  return Number(day.slice(0, 4)) * 100 + Number(day.slice(5, 7));
}

/** A condition on the columns `month` and `day`: months are partitions, so others are not opened. */
export function within({ from, to }: DayRange): string {
  return `month between ${monthOf(from)} and ${monthOf(to)} and day between ${dayNumberOf(from)} and ${dayNumberOf(to)}`;
}

/** An expression for the month of a day column, whose value is in the range. */
export function monthOfColumn(column: string, range: DayRange): string {
  if (monthOf(range.from) === monthOf(range.to)) return `toInt32(${monthOf(range.from)})`;
  const days = daysOf(range);
  return `toInt32(transform(${column}, [${days.map(dayNumberOf).join(', ')}], [${days.map(monthOf).join(', ')}], 0))`;
}

/** Memory for the groups of a statement. */
const groupBytes = 1_000_000_000;

/** Ends a statement that groups by the keys of a dataset. A brand may have any number of them: more than fit go to disk. */
export const groupedOnDisk = `settings max_bytes_before_external_group_by = ${groupBytes}`;

/** Lists the columns of a dataset: those that it has in PostgreSQL, without running totals, which pages add up. */
export function columnsOf({ keys, attributes, sums }: DatasetShape): string[] {
  return ['brand_id', 'month', 'day', 'generation', ...keys, ...attributes, ...sums];
}

/** The columns of the table of events, in the order in which batches are written. */
export const eventColumns = {
  brand_id: 'Int32',
  // `YYYYMM`. Not computed by ClickHouse, whose dates do not reach as far.
  month: 'Int32',
  // Days since 1970-01-01.
  day: 'Int32',
  batch: 'Int64',
  event_id: 'String',
  // Milliseconds since 1970-01-01.
  occurred_ms: 'Int64',
  kind: 'LowCardinality(String)',
  user_id: 'Int64',
  content_ref_id: 'Int64',
  content_type: 'LowCardinality(String)',
  market_id: 'Nullable(Int64)',
  progress: 'Nullable(Decimal(9, 6))',
  score: 'Nullable(Decimal(9, 6))',
  questions: 'Nullable(Int32)',
  answered: 'Nullable(Int32)',
  time_spent_seconds: 'Int32',
  xp_earned: 'Int32',
} as const;

const typed = (names: readonly string[]) => names.map((name) => [name, typeOf(name)] as const);
const columns = (types: readonly (readonly [string, string])[]) =>
  types.map(([name, type]) => `${name} ${type} codec(ZSTD(1))`).join(', ');

/**
 * The statements that create the tables, safe to repeat. Tables have no engine, so that it is the server's default: MergeTree, or
 * what `default_table_engine` says. Partitions are months, so that old events are dropped at once.
 */
export const schemaStatements: readonly string[] = [
  'create table if not exists store_identity (id String) order by id',
  `create table if not exists learning_events (${columns(Object.entries(eventColumns))},
    index by_batch batch type minmax granularity 4)
    partition by month order by (brand_id, day, user_id, content_ref_id)`,
  ...datasetNames.map(createDataset),
];

function createDataset(name: DatasetName): string {
  const shape = shapeOf(name);
  // The index of learners finds the rows of one in pages that are ordered by something else.
  const byLearner =
    shape.keys.includes('user_id') && shape.order[0] !== 'user_id'
      ? ', index by_learner user_id type bloom_filter(0.01) granularity 1'
      : '';
  return `create table if not exists ${name} (${columns(typed(columnsOf(shape)))},
    index by_generation generation type minmax granularity 8${byLearner})
    partition by month order by (brand_id, ${shape.order.join(', ')}, generation)
    settings index_granularity = 2048`;
}

function typeOf(column: string): string {
  if (column === 'content_type') return 'LowCardinality(String)';
  if (column === 'brand_id' || column === 'month' || column === 'day') return 'Int32';
  return column.endsWith('_sum') ? 'Decimal(18, 6)' : 'Int64';
}
