export const datasetNames = ['daily', 'daily_by_market', 'contents', 'users', 'content_engagement'] as const;
export type DatasetName = (typeof datasetNames)[number];

/** A dataset as a table: the one definition behind files, databases, Singer schemas and the page of columns. */
export interface DatasetTable {
  readonly name: DatasetName;
  /** The dataset of `/status` to which its days belong. */
  readonly dataset: Exclude<DatasetName, 'daily_by_market'>;
  /** The path of the endpoint below `/v1/client/analytics`. */
  readonly endpoint: string;
  /** The parameters of the endpoint, next to window and page. */
  readonly query: { readonly group_by?: 'market' };
  /** The schema of a row in the OpenAPI document. */
  readonly schema: string;
  /** A key needs this scope to read the dataset. */
  readonly scope: string;
  /** The longest window of one request, in days. */
  readonly capDays: number;
  /** The largest page. */
  readonly perPage: number;
  /** The columns that identify a row; empty if rows of orphaned contents have nothing that identifies them. */
  readonly key: readonly string[];
  /** In order. The first one is `date`, the last one `extra`. */
  readonly columns: readonly Column[];
}

/** Returns the table without running totals. Nothing of it changes on days whose cause is `corrected`. */
export function withoutCumulative(table: DatasetTable): DatasetTable {
  return { ...table, columns: table.columns.filter(({ path }) => path[0] !== 'cumulative') };
}

/** The types of columns, in the words of no particular database. */
export type ColumnType = 'date' | 'integer' | 'number' | 'boolean' | 'text' | 'json';

/** A value of a flat row. Dates are `YYYY-MM-DD`; `json` columns have objects. */
export type ColumnValue = string | number | boolean | Readonly<Record<string, unknown>> | null;

/** A column of a dataset in files and databases. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The names that lead to the value in a row of the API; empty for a column that is not one field. */
  readonly path: readonly string[];
  readonly isNullable: boolean;
  /** True if the value may change without a change of the day's revision. */
  readonly isLabel: boolean;
}

/** Creates a column that is never null; its name is its path, joined with `_`. */
function column(path: string, type: ColumnType): Column {
  const names = path.split('.');
  return { name: names.join('_'), type, path: names, isNullable: false, isLabel: false };
}

function nullable(each: Column): Column {
  return { ...each, isNullable: true };
}

/** Creates columns of one type. `names` are separated by spaces; `prefix` is the path of the object that has them. */
function columnsOf(type: ColumnType, prefix: string, names: string): Column[] {
  return names.split(' ').map((name) => column(`${prefix}.${name}`, type));
}

/** The column of new fields: fields that this version does not know, in the shape of the API; null without one. */
export const extraColumn: Column = {
  name: 'extra',
  type: 'json',
  path: [],
  isNullable: true,
  isLabel: false,
};

/** True if the directory does not list the content of the row; the other columns of the content are then null. */
export const orphanedColumn: Column = {
  name: 'content_is_orphaned',
  type: 'boolean',
  path: [],
  isNullable: false,
  isLabel: false,
};

const counts = 'views completions successes';
const rates = 'watch_rate completion_rate success_rate';

function countsOfTypes(prefix: string) {
  return ['episodes', 'programs', 'quests'].flatMap((type) =>
    columnsOf('integer', `${prefix}.${type}`, counts),
  );
}

const daily: DatasetTable = {
  name: 'daily',
  dataset: 'daily',
  endpoint: '/metrics/daily',
  query: {},
  schema: 'DailyMetricsRow',
  scope: 'analytics.metrics:read',
  capDays: 366,
  perPage: 200,
  key: ['date'],
  columns: [
    column('date', 'date'),
    nullable(column('market.tu_id', 'text')),
    ...columnsOf('integer', 'live_content', 'episodes programs quests products'),
    column('active_users', 'integer'),
    ...columnsOf('integer', 'totals', `${counts} xp_earned time_spent_seconds`),
    ...['episodes', 'programs', 'quests'].flatMap((type) => [
      ...columnsOf('integer', type, `${counts} time_spent_seconds`),
      ...columnsOf('number', type, `${rates} quiz_average_score`).map((each) =>
        each.name === 'quests_quiz_average_score' ? nullable(each) : each,
      ),
    ]),
    nullable(column('overall_completion_rate', 'number')),
    ...columnsOf('integer', 'cumulative', `${counts} xp_earned`),
    extraColumn,
  ],
};

/** The rows of `daily`, for each market instead of the brand. */
const dailyByMarket: DatasetTable = {
  ...daily,
  name: 'daily_by_market',
  query: { group_by: 'market' },
  key: ['date', 'market_tu_id'],
};

const contents: DatasetTable = {
  name: 'contents',
  dataset: 'contents',
  endpoint: '/metrics/contents',
  query: {},
  schema: 'ContentMetricsRow',
  scope: 'analytics.metrics:read',
  capDays: 92,
  perPage: 500,
  key: [],
  columns: [
    column('date', 'date'),
    nullable(column('content.type', 'text')),
    nullable(column('content.tu_id', 'text')),
    { ...nullable(column('content.name', 'text')), isLabel: true },
    orphanedColumn,
    ...columnsOf(
      'integer',
      'metrics',
      'views unique_views completions successes active_users total_users xp_earned time_spent_seconds questions_count',
    ),
    ...columnsOf('number', 'metrics', 'engagement_rate quiz_average_score'),
    ...columnsOf('integer', 'cumulative', counts),
    ...columnsOf('number', 'cumulative', `${rates} quiz_average_score`),
    extraColumn,
  ],
};

const users: DatasetTable = {
  name: 'users',
  dataset: 'users',
  endpoint: '/users/daily',
  query: {},
  schema: 'UserDayRow',
  scope: 'analytics.users:read',
  capDays: 92,
  perPage: 500,
  key: ['date', 'user_tu_id'],
  columns: [
    column('date', 'date'),
    column('user.tu_id', 'text'),
    ...columnsOf('integer', 'metrics', `${counts} xp_earned time_spent_seconds`),
    column('metrics.overall_score', 'number'),
    ...countsOfTypes('metrics'),
    ...columnsOf('integer', 'cumulative', counts),
    ...countsOfTypes('cumulative'),
    extraColumn,
  ],
};

const contentEngagement: DatasetTable = {
  name: 'content_engagement',
  dataset: 'content_engagement',
  endpoint: '/users/contents',
  query: {},
  schema: 'ContentEngagementRow',
  scope: 'analytics.users:read',
  capDays: 92,
  perPage: 500,
  key: [],
  columns: [
    column('date', 'date'),
    column('user.tu_id', 'text'),
    nullable(column('content.type', 'text')),
    nullable(column('content.tu_id', 'text')),
    orphanedColumn,
    ...columnsOf('integer', 'metrics', 'views xp_earned time_spent_seconds'),
    ...columnsOf('boolean', 'metrics', 'is_completed is_successful'),
    column('metrics.questions_count', 'integer'),
    ...columnsOf('number', 'metrics', 'quiz_average_score quiz_completion_rate'),
    ...columnsOf('integer', 'cumulative', 'views xp_earned time_spent_seconds'),
    column('cumulative.quiz_average_score', 'number'),
    extraColumn,
  ],
};

/** The tables of all datasets. A test compares their columns with the OpenAPI document [D151]. */
export const datasetTables: Readonly<Record<DatasetName, DatasetTable>> = {
  daily,
  daily_by_market: dailyByMarket,
  contents,
  users,
  content_engagement: contentEngagement,
};
