import {
  column,
  columnsOf,
  type DatasetName,
  type DatasetTable,
  extraColumn,
  nullable,
  orphanedColumn,
} from './dataset-table.ts';

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
