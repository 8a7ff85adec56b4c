import { type CountedType, type Counts, countedTypes, type DailyRow, type Mean } from '../dataset-rows.ts';

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

export const dailyColumns: readonly string[] = [
  ...['market_id', 'live_episodes', 'live_programs', 'live_quests', 'live_products', 'active_users'],
  ...['views', 'completions', 'successes', 'xp_earned', 'time_spent_seconds'],
  ...countedTypes.flatMap((type) => typeColumns.map((column) => `${type}_${column}`)),
  ...['cumulative_views', 'cumulative_completions', 'cumulative_successes', 'cumulative_xp_earned'],
];

export const noMarket = 0;

/** `row` has `dailyColumns`, and the day as `day_text`. */
export function dailyRow(row: DatasetRow): DailyRow {
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

/** A row as `pg` returns it: `bigint` as number, `numeric` and days as strings. */
export type DatasetRow = Readonly<Record<string, number | string | null>>;

export function numberOf(row: DatasetRow, column: string): number {
  return row[column] as number;
}

function textOf(row: DatasetRow, column: string): string {
  return row[column] as string;
}

/** `<prefix>_sum` and `<prefix>_count`. */
function meanOf(row: DatasetRow, prefix: string): Mean {
  return { sum: textOf(row, `${prefix}_sum`), count: numberOf(row, `${prefix}_count`) };
}

function countsOf(row: DatasetRow, prefix = ''): Counts {
  return {
    views: numberOf(row, `${prefix}views`),
    completions: numberOf(row, `${prefix}completions`),
    successes: numberOf(row, `${prefix}successes`),
  };
}

function byType<T>(make: (type: CountedType) => T): Record<CountedType, T> {
  return Object.fromEntries(countedTypes.map((type) => [type, make(type)])) as Record<CountedType, T>;
}

/** Returns the day in the only format that does not depend on a database setting. */
export const dayColumn = `to_char(day, 'YYYY-MM-DD') as day_text`;
