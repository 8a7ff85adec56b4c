import { column, exact, type JsonRows, jsonRows } from '../../postgres/json-rows.ts';
import {
  type ContentEngagementRow,
  type ContentRow,
  type CountedType,
  type Counts,
  type CountsByType,
  countedTypes,
  type DailyRow,
  type LearnerDayRow,
  type Mean,
  type TypeFigures,
} from './datasets.ts';

/** A row by column: counts as numbers, exact `_sum` columns and days as strings. */
type StoredRow = Readonly<Record<string, number | string>>;

/** The columns of a dataset that a page shows, and its rows of them. */
export interface DatasetRows<Row> {
  readonly columns: readonly string[];
  /** The columns as PostgreSQL returns them. */
  readonly json: JsonRows<StoredRow>;
  rowOf(row: StoredRow): Row;
}

function datasetRows<Row>(columns: readonly string[], rowOf: (row: StoredRow) => Row): DatasetRows<Row> {
  const json = jsonRows(
    Object.fromEntries(
      columns.map((name) => [name, name.endsWith('_sum') ? exact(name) : column<number | string>(name)]),
    ),
  );
  return { columns, json, rowOf };
}

function numberOf(row: StoredRow, name: string): number {
  return row[name] as number;
}

function textOf(row: StoredRow, name: string): string {
  return row[name] as string;
}

/** `<prefix>_sum` and `<prefix>_count`. */
function meanOf(row: StoredRow, prefix: string): Mean {
  return { sum: textOf(row, `${prefix}_sum`), count: numberOf(row, `${prefix}_count`) };
}

function countsOf(row: StoredRow, prefix = ''): Counts {
  return {
    views: numberOf(row, `${prefix}views`),
    completions: numberOf(row, `${prefix}completions`),
    successes: numberOf(row, `${prefix}successes`),
  };
}

const contentFigures = [
  'views',
  'completions',
  'successes',
  'total_users',
  'unique_views',
  'active_users',
  'xp_earned',
  'time_spent_seconds',
  'questions',
  'score_sum',
  'score_count',
  'cumulative_views',
  'cumulative_completions',
  'cumulative_successes',
  'cumulative_progress_sum',
  'cumulative_progress_count',
  'cumulative_score_sum',
  'cumulative_score_count',
] as const;

export const contentKey = ['content_ref_id', 'day'] as const;

export const contentRows = datasetRows(
  [...contentKey, ...contentFigures],
  (row): ContentRow => ({
    contentRefId: numberOf(row, 'content_ref_id'),
    day: textOf(row, 'day'),
    ...countsOf(row),
    uniqueViews: numberOf(row, 'unique_views'),
    activeLearners: numberOf(row, 'active_users'),
    totalLearners: numberOf(row, 'total_users'),
    xpEarned: numberOf(row, 'xp_earned'),
    timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    questions: numberOf(row, 'questions'),
    score: meanOf(row, 'score'),
    cumulative: {
      ...countsOf(row, 'cumulative_'),
      progress: meanOf(row, 'cumulative_progress'),
      score: meanOf(row, 'cumulative_score'),
    },
  }),
);

/** The counts over all types, then those of each type. */
const learnerDayCounts = ['' as const, ...countedTypes.map((type) => `${type}_` as const)].flatMap(
  (prefix) => [`${prefix}views`, `${prefix}completions`, `${prefix}successes`] as const,
);
export const learnerDayKey = ['user_id', 'day'] as const;
const learnerDayFigures = ['xp_earned', 'time_spent_seconds', 'score_sum', 'score_count'] as const;

export const learnerDayRows = datasetRows(
  [
    ...learnerDayKey,
    ...learnerDayFigures,
    ...learnerDayCounts,
    ...learnerDayCounts.map((column) => `cumulative_${column}` as const),
  ],
  (row): LearnerDayRow => ({
    learnerId: numberOf(row, 'user_id'),
    day: textOf(row, 'day'),
    ...countsByTypeOf(row, ''),
    xpEarned: numberOf(row, 'xp_earned'),
    timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    score: meanOf(row, 'score'),
    cumulative: countsByTypeOf(row, 'cumulative_'),
  }),
);

function countsByTypeOf(row: StoredRow, prefix: string): CountsByType {
  return {
    ...countsOf(row, prefix),
    episode: countsOf(row, `${prefix}episode_`),
    program: countsOf(row, `${prefix}program_`),
    quest: countsOf(row, `${prefix}quest_`),
  };
}

const engagementFigures = [
  'views',
  'completions',
  'successes',
  'xp_earned',
  'time_spent_seconds',
  'questions',
  'answered',
  'score_sum',
  'score_count',
  'cumulative_views',
  'cumulative_xp_earned',
  'cumulative_time_spent_seconds',
  'cumulative_score_sum',
  'cumulative_score_count',
] as const;

export const engagementKey = ['content_ref_id', 'day', 'user_id'] as const;

export const engagementRows = datasetRows(
  [...engagementKey, ...engagementFigures],
  (row): ContentEngagementRow => ({
    contentRefId: numberOf(row, 'content_ref_id'),
    day: textOf(row, 'day'),
    learnerId: numberOf(row, 'user_id'),
    views: numberOf(row, 'views'),
    xpEarned: numberOf(row, 'xp_earned'),
    timeSpentSeconds: numberOf(row, 'time_spent_seconds'),
    isCompleted: numberOf(row, 'completions') > 0,
    isSuccessful: numberOf(row, 'successes') > 0,
    questions: numberOf(row, 'questions'),
    answered: numberOf(row, 'answered'),
    score: meanOf(row, 'score'),
    cumulative: {
      views: numberOf(row, 'cumulative_views'),
      xpEarned: numberOf(row, 'cumulative_xp_earned'),
      timeSpentSeconds: numberOf(row, 'cumulative_time_spent_seconds'),
      score: meanOf(row, 'cumulative_score'),
    },
  }),
);

const typeColumns = [
  'views',
  'completions',
  'successes',
  'time_spent_seconds',
  'progress_sum',
  'progress_count',
  'score_sum',
  'score_count',
] as const;

const dailyFigures = [
  ...(['live_episodes', 'live_programs', 'live_quests', 'live_products', 'active_users'] as const),
  ...(['views', 'completions', 'successes', 'xp_earned', 'time_spent_seconds'] as const),
  ...countedTypes.flatMap((type) => typeColumns.map((column) => `${type}_${column}` as const)),
  ...([
    'cumulative_views',
    'cumulative_completions',
    'cumulative_successes',
    'cumulative_xp_earned',
  ] as const),
];

/** The market of the rows of the brand. */
export const noMarket = 0;

export const dailyRows = datasetRows(['day', 'market_id', ...dailyFigures], (row): DailyRow => {
  const marketId = numberOf(row, 'market_id');
  const ofType = (type: CountedType): TypeFigures => ({
    ...countsOf(row, `${type}_`),
    timeSpentSeconds: numberOf(row, `${type}_time_spent_seconds`),
    progress: meanOf(row, `${type}_progress`),
    score: meanOf(row, `${type}_score`),
  });
  return {
    day: textOf(row, 'day'),
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
    types: { episode: ofType('episode'), program: ofType('program'), quest: ofType('quest') },
    cumulative: {
      ...countsOf(row, 'cumulative_'),
      xpEarned: numberOf(row, 'cumulative_xp_earned'),
    },
  };
});
