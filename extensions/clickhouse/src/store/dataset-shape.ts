import type { DatasetName } from '../../../../server/src/analytics/store/datasets.ts';
import { countedTypes } from '../../../../server/src/analytics/store/datasets.ts';

/** A dataset in ClickHouse: its table has the columns of `columnsOf`, and `month` and `generation`. */
export interface DatasetShape {
  readonly name: DatasetName;
  /** The order of its pages, without the brand, including the day. */
  readonly order: readonly string[];
  /** The columns that identify a row in addition to brand and day. Running totals add up the days of a key. */
  readonly keys: readonly string[];
  readonly attributes: readonly string[];
  /** Columns with the sums of the day. */
  readonly sums: readonly string[];
  /** The sums that pages show as running totals too, as `cumulative_<name>`. */
  readonly cumulated: readonly string[];
}

export const counts = ['views', 'completions', 'successes'];
export const efforts = ['xp_earned', 'time_spent_seconds'];
const progress = ['progress_sum', 'progress_count'];
const score = ['score_sum', 'score_count'];
export const typeFigures = [...counts, 'time_spent_seconds', ...progress, ...score];
const ofTypes = (columns: readonly string[]) =>
  countedTypes.flatMap((type) => columns.map((column) => `${type}_${column}`));

export const shapes: Readonly<Record<DatasetName, DatasetShape>> = {
  daily: {
    name: 'daily',
    order: ['day', 'market_id'],
    keys: ['market_id'],
    attributes: ['live_episodes', 'live_programs', 'live_quests', 'live_products'],
    sums: ['active_users', ...counts, ...efforts, ...ofTypes(typeFigures)],
    cumulated: [...counts, 'xp_earned'],
  },
  contents: {
    name: 'contents',
    order: ['content_ref_id', 'day'],
    keys: ['content_ref_id'],
    attributes: ['content_type', 'total_users'],
    sums: ['unique_views', 'active_users', ...counts, ...efforts, 'questions', ...progress, ...score],
    cumulated: [...counts, ...progress, ...score],
  },
  users: {
    name: 'users',
    order: ['user_id', 'day'],
    keys: ['user_id'],
    attributes: [],
    sums: [...counts, ...efforts, ...score, ...ofTypes(counts)],
    cumulated: [...counts, ...ofTypes(counts)],
  },
  content_engagement: {
    name: 'content_engagement',
    order: ['content_ref_id', 'day', 'user_id'],
    keys: ['user_id', 'content_ref_id'],
    attributes: ['content_type'],
    sums: [...counts, ...efforts, 'questions', 'answered', ...score],
    cumulated: ['views', ...efforts, ...score],
  },
};

export function columnsOf(shape: DatasetShape): string[] {
  const { keys, attributes, sums } = shape;
  return ['brand_id', 'month', 'day', 'generation', ...keys, ...attributes, ...sums];
}

export function typeOf(column: string): string {
  if (column === 'content_type') return 'LowCardinality(String)';
  if (column === 'brand_id' || column === 'month' || column === 'day') return 'Int32';
  return column.endsWith('_sum') ? 'Decimal(18, 6)' : 'Int64';
}
