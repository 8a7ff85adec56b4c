import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import { columnsOf, shapes } from './dataset-shape.ts';

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
  const shape = shapes[name];
  // The index of learners finds the rows of one in pages that are ordered by content.
  const byLearner =
    name === 'content_engagement' ? ', index by_learner user_id type bloom_filter(0.01) granularity 1' : '';
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
