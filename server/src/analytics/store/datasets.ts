import type { Day, DayRange } from '../day.ts';

/** The one definition of a dataset: tables, statements, engines, wire and doctor follow from it. */
export interface DatasetShape {
  /** The columns that identify a row besides brand and day. Running totals add up the days of a key. */
  readonly keys: readonly KeyColumn[];
  /** The order of its pages, without the brand, including the day: the columns of the primary key. */
  readonly order: readonly [KeyColumn | 'day', ...(KeyColumn | 'day')[]];
  /** Columns that are not sums: attributes of the key, and what the directory had at the time of the aggregation. */
  readonly attributes: readonly string[];
  readonly sums: readonly string[];
  /** The sums that have a running total in `cumulative_<name>`. */
  readonly cumulated: readonly string[];
  /** The endpoint, below `/v1/client/analytics`. */
  readonly path: string;
  /** The longest window of a request, in days [analytics-9]. */
  readonly capDays: number;
}

/** The column that each part of the directory has in rows, by its name in a row of the domain. */
export const keyFields = {
  content_ref_id: 'contentRefId',
  user_id: 'learnerId',
  market_id: 'marketId',
  day: 'day',
} as const;
type KeyColumn = Exclude<keyof typeof keyFields, 'day'>;

export const countedTypes = ['episode', 'program', 'quest'] as const;

/** Returns the columns of each content type: `episode_views` and so on. */
const ofEachType = (columns: readonly string[]) =>
  countedTypes.flatMap((type) => columns.map((column) => `${type}_${column}`));

const counts = ['views', 'completions', 'successes'];
const efforts = ['xp_earned', 'time_spent_seconds'];
const progress = ['progress_sum', 'progress_count'];
const score = ['score_sum', 'score_count'];

const typeFigures = [...counts, 'time_spent_seconds', ...progress, ...score];
const countsByType = [...counts, ...ofEachType(counts)];

/** The datasets by their names in `/status` [analytics-4] and as tables, in the order of the reference. */
export const datasetShapes = {
  /** Brand-level rows have market 0. Every aggregated day has one, and one for every market of the brand. */
  daily: {
    keys: ['market_id'],
    order: ['day', 'market_id'],
    attributes: ['live_episodes', 'live_programs', 'live_quests', 'live_products'],
    sums: ['active_users', ...counts, ...efforts, ...ofEachType(typeFigures)],
    cumulated: [...counts, 'xp_earned'],
    path: '/metrics/daily',
    capDays: 366,
  },
  contents: {
    keys: ['content_ref_id'],
    order: ['content_ref_id', 'day'],
    attributes: ['content_type', 'total_users'],
    sums: ['unique_views', 'active_users', ...counts, ...efforts, 'questions', ...progress, ...score],
    cumulated: [...counts, ...progress, ...score],
    path: '/metrics/contents',
    capDays: 92,
  },
  users: {
    keys: ['user_id'],
    order: ['user_id', 'day'],
    attributes: [],
    sums: [...counts, ...efforts, ...score, ...ofEachType(counts)],
    cumulated: countsByType,
    path: '/users/daily',
    capDays: 92,
  },
  content_engagement: {
    keys: ['user_id', 'content_ref_id'],
    order: ['content_ref_id', 'day', 'user_id'],
    attributes: ['content_type'],
    sums: [...counts, ...efforts, 'questions', 'answered', ...score],
    cumulated: ['views', ...efforts, ...score],
    path: '/users/contents',
    capDays: 92,
  },
} as const satisfies Readonly<Record<string, DatasetShape>>;

export type DatasetName = keyof typeof datasetShapes;
export const datasetNames = Object.keys(datasetShapes) as readonly DatasetName[];

/** Returns the shape of a dataset. */
export function shapeOf(name: DatasetName): DatasetShape {
  return datasetShapes[name];
}

/** The datasets whose pages have a cursor: all but `daily`, which is read by page number. */
export type KeysetDataset = Exclude<DatasetName, 'daily'>;

/** Returns a value for each dataset, in the order of the reference. */
export function ofDatasets<T>(value: (name: DatasetName) => T): Record<DatasetName, T> {
  return Object.fromEntries(datasetNames.map((name) => [name, value(name)])) as Record<DatasetName, T>;
}

export type RowCounts = Readonly<Record<DatasetName, number>>;

/** The kinds of subjects of the directory that decide which rows are served, with the column of each. */
export const subjectColumns = {
  learner: 'user_id',
  content: 'content_ref_id',
  market: 'market_id',
} as const satisfies Readonly<Record<string, KeyColumn>>;
export type DirectoryKind = keyof typeof subjectColumns;
export const directoryKinds = Object.keys(subjectColumns) as readonly DirectoryKind[];

/** Lists the datasets whose rows belong to a subject of the directory of this kind. */
export function datasetsOf(kind: DirectoryKind): readonly DatasetName[] {
  return datasetNames.filter((name) => shapeOf(name).keys.includes(subjectColumns[kind]));
}

export interface LiveContent {
  readonly episodes: number;
  readonly programs: number;
  readonly quests: number;
  readonly products: number;
}

/** The state of a dataset's days in a window, all of it at one moment. */
export interface WindowState {
  /** The greatest revision of the window's days; 0 without one. It grows with each change of one of them. */
  readonly revision: number;
  /** The last aggregated day of the dataset, in the window or not; null before the first. */
  readonly latestDay: Day | null;
  /** Differs between any two states whose rows could differ, also after a restore or move, when revisions repeat. */
  readonly version: string;
}

export interface DatasetPage<Row> {
  readonly rows: readonly Row[];
  readonly window: WindowState;
}

export interface DailyQuery {
  readonly range: DayRange;
  /** `brand`: only brand-level rows; otherwise only rows of these markets. */
  readonly of: 'brand' | { readonly marketIds: readonly number[] };
}

/** The rows of a dataset with a cursor. A condition applies to a dataset that has its column. */
export interface KeysetQuery {
  readonly range: DayRange;
  readonly learnerId?: number;
  readonly contentType?: string;
  readonly contentRefId?: number;
  /** Only rows with this `isCompleted`. */
  readonly isCompleted?: boolean;
}

/** The key of a row in the order of a dataset: the fields that it has. */
export interface RowKey {
  readonly contentRefId?: number;
  readonly learnerId?: number;
  readonly day?: Day;
}

/** Returns the values of a key in the order of a dataset. */
export function valuesOfKey(name: KeysetDataset, key: RowKey): readonly (number | Day)[] {
  const values = key as Readonly<Record<string, number | Day>>;
  return shapeOf(name).order.map((column) => values[keyFields[column]] as number | Day);
}
