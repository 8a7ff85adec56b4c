import { column, exact, type JsonRows, jsonRows } from '../../postgres/json-rows.ts';
import type { Day } from '../day.ts';
import { type DatasetName, keyFields } from './datasets.ts';

/** The mean of values is stored as their exact sum and count, so that days can be added and subtracted. */
export interface Mean {
  /** An exact decimal number as a string. */
  readonly sum: string;
  readonly count: number;
}

/** A row by column: counts as numbers, exact `_sum` columns and days as strings. */
type StoredRow = Readonly<Record<string, number | string>>;

/** A value of a row and the columns that it is made of. */
interface Field<T> {
  readonly columns: readonly string[];
  read(row: StoredRow): T;
}

type Fields = { readonly [name: string]: Field<unknown> | Fields };

type RowOf<F> = F extends Field<infer T> ? T : { readonly [Name in keyof F]: RowOf<F[Name]> };

/** The columns of a dataset that a page shows, and its rows of them. */
export interface DatasetRows<Row> {
  readonly columns: readonly string[];
  /** The columns as PostgreSQL returns them. */
  readonly json: JsonRows<StoredRow>;
  rowOf(row: StoredRow): Row;
}

function isField(field: Field<unknown> | Fields): field is Field<unknown> {
  return typeof field['read'] === 'function';
}

function columnsOf(fields: Fields): string[] {
  return Object.values(fields).flatMap((field) => (isField(field) ? field.columns : columnsOf(field)));
}

/** Returns a function that makes a row, or a part of one. Its loops are plain, since a page has 500 rows of some 30 fields. */
function readerOf(fields: Fields): (row: StoredRow) => Record<string, unknown> {
  const readers = Object.entries(fields).map(
    ([name, field]) => [name, isField(field) ? field.read : readerOf(field)] as const,
  );
  return (row) => {
    const made: Record<string, unknown> = {};
    for (const [name, read] of readers) made[name] = read(row);
    return made;
  };
}

function datasetRows<F extends Fields>(fields: F): DatasetRows<RowOf<F>> {
  const columns = [...new Set(columnsOf(fields))];
  const json = jsonRows(
    Object.fromEntries(
      columns.map((name) => [name, name.endsWith('_sum') ? exact(name) : column<number | string>(name)]),
    ),
  );
  return { columns, json, rowOf: readerOf(fields) as (row: StoredRow) => RowOf<F> };
}

const number = (name: string): Field<number> => ({ columns: [name], read: (row) => row[name] as number });
const day: Field<Day> = { columns: ['day'], read: (row) => row['day'] as Day };

/** True if the count is not 0. */
const some = (name: string): Field<boolean> => ({
  columns: [name],
  read: (row) => (row[name] as number) > 0,
});

/** `<prefix>_sum` and `<prefix>_count`. */
const mean = (prefix: string): Field<Mean> => {
  const [sum, count] = [`${prefix}_sum`, `${prefix}_count`];
  return { columns: [sum, count], read: (row) => ({ sum: row[sum] as string, count: row[count] as number }) };
};

const counts = (prefix = '') => ({
  views: number(`${prefix}views`),
  completions: number(`${prefix}completions`),
  successes: number(`${prefix}successes`),
});

const countsByType = (prefix = '') => ({
  ...counts(prefix),
  episode: counts(`${prefix}episode_`),
  program: counts(`${prefix}program_`),
  quest: counts(`${prefix}quest_`),
});

const figuresOfType = (type: string) => ({
  ...counts(`${type}_`),
  timeSpentSeconds: number(`${type}_time_spent_seconds`),
  progress: mean(`${type}_progress`),
  score: mean(`${type}_score`),
});

const efforts = { xpEarned: number('xp_earned'), timeSpentSeconds: number('time_spent_seconds') };
const learnerId = { [keyFields.user_id]: number('user_id') };
const contentRefId = { [keyFields.content_ref_id]: number('content_ref_id') };

/** The market of the rows of the brand. */
export const noMarket = 0;

/** null: the brand. */
const marketId: Field<number | null> = {
  columns: ['market_id'],
  read: ({ market_id }) => (market_id === noMarket ? null : (market_id as number)),
};

/** The rows of each dataset, as pages show them. */
const datasets = {
  daily: datasetRows({
    day,
    marketId,
    liveContent: {
      episodes: number('live_episodes'),
      programs: number('live_programs'),
      quests: number('live_quests'),
      products: number('live_products'),
    },
    activeLearners: number('active_users'),
    totals: { ...counts(), ...efforts },
    types: {
      episode: figuresOfType('episode'),
      program: figuresOfType('program'),
      quest: figuresOfType('quest'),
    },
    cumulative: { ...counts('cumulative_'), xpEarned: number('cumulative_xp_earned') },
  }),
  contents: datasetRows({
    ...contentRefId,
    day,
    ...counts(),
    uniqueViews: number('unique_views'),
    activeLearners: number('active_users'),
    totalLearners: number('total_users'),
    ...efforts,
    questions: number('questions'),
    score: mean('score'),
    cumulative: {
      ...counts('cumulative_'),
      progress: mean('cumulative_progress'),
      score: mean('cumulative_score'),
    },
  }),
  users: datasetRows({
    ...learnerId,
    day,
    ...countsByType(),
    ...efforts,
    score: mean('score'),
    cumulative: countsByType('cumulative_'),
  }),
  content_engagement: datasetRows({
    ...contentRefId,
    day,
    ...learnerId,
    views: number('views'),
    ...efforts,
    isCompleted: some('completions'),
    isSuccessful: some('successes'),
    questions: number('questions'),
    answered: number('answered'),
    score: mean('score'),
    cumulative: {
      views: number('cumulative_views'),
      xpEarned: number('cumulative_xp_earned'),
      timeSpentSeconds: number('cumulative_time_spent_seconds'),
      score: mean('cumulative_score'),
    },
  }),
} as const satisfies Readonly<Record<DatasetName, DatasetRows<object>>>;

/** A row of a dataset. */
export type DatasetRow<Name extends DatasetName> = ReturnType<(typeof datasets)[Name]['rowOf']>;

/** Returns the rows of a dataset. */
export function rowsOf<Name extends DatasetName>(name: Name): DatasetRows<DatasetRow<Name>> {
  return datasets[name] as DatasetRows<object> as DatasetRows<DatasetRow<Name>>;
}

export type DailyRow = DatasetRow<'daily'>;
export type ContentRow = DatasetRow<'contents'>;
export type LearnerDayRow = DatasetRow<'users'>;
export type ContentEngagementRow = DatasetRow<'content_engagement'>;
export type Counts = Pick<ContentRow, 'views' | 'completions' | 'successes'>;
export type CountsByType = LearnerDayRow['cumulative'];
export type TypeFigures = DailyRow['types']['episode'];
