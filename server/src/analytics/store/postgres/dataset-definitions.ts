import { countedTypes, type DatasetName } from '../datasets.ts';
import type { DirectoryAtAggregation } from '../engine.ts';

/** The definition of a dataset, from which `aggregation.ts` makes its SQL. */
export interface DatasetDefinition {
  /** Also the table's name in the schema `analytics`. */
  readonly name: DatasetName;
  /** The columns that identify a row besides brand and day. Running totals add up the days of a key. */
  readonly keys: readonly string[];
  /** Columns that are not sums: attributes of the key, and what the directory had at the time of the aggregation. */
  readonly attributes: readonly string[];
  readonly sums: readonly string[];
  /** The sums that have a running total in `cumulative_<name>`. */
  readonly cumulated: readonly string[];
  /**
   * Selects the new rows with day, keys, attributes and sums from `pg_temp.fold_by_user` or `pg_temp.fold_by_content`. $2 and
   * $3 are the range; `values` start at $4.
   */
  readonly fresh: string;
  readonly values: (directory: DirectoryAtAggregation) => readonly unknown[];
}

function sumsOf(columns: readonly string[]): string {
  return columns.map((column) => `sum(f.${column}) as ${column}`).join(', ');
}

/** Columns of one content type (`episode_views` and so on) and their sums; 0 without such rows. */
function columnsOfType(type: string, columns: readonly string[]): readonly string[] {
  return columns.map((column) => `${type}_${column}`);
}

function sumsOfType(type: string, columns: readonly string[]): string {
  return columns
    .map(
      (column) =>
        `coalesce(sum(f.${column}) filter (where f.content_type = '${type}'), 0) as ${type}_${column}`,
    )
    .join(', ');
}

const counts = ['views', 'completions', 'successes'];
const efforts = ['xp_earned', 'time_spent_seconds'];
const progress = ['progress_sum', 'progress_count'];
const score = ['score_sum', 'score_count'];

const typeFigures = [...counts, 'time_spent_seconds', ...progress, ...score];
const dailyTypeColumns = countedTypes.flatMap((type) => columnsOfType(type, typeFigures));
const dailySums = ['active_users', ...counts, ...efforts, ...dailyTypeColumns];
const dailyFigures = `count(distinct f.user_id) as active_users, ${sumsOf([...counts, ...efforts])},
  ${countedTypes.map((type) => sumsOfType(type, typeFigures)).join(',\n  ')}`;

/** Brand-level rows have market 0. Every day of the range has one, and one for every market of the brand. */
const daily: DatasetDefinition = {
  name: 'daily',
  keys: ['market_id'],
  attributes: ['live_episodes', 'live_programs', 'live_quests', 'live_products'],
  sums: dailySums,
  cumulated: [...counts, 'xp_earned'],
  fresh: `select d.day, m.market_id,
      $5::bigint as live_episodes, $6::bigint as live_programs, $7::bigint as live_quests, $8::bigint as live_products,
      ${dailySums.map((column) => `coalesce(g.${column}, 0) as ${column}`).join(', ')}
    from (select $2::date + n as day from generate_series(0, $3::date - $2::date) as n) d
    cross join (select 0::bigint as market_id union select unnest($4::bigint[])) m
    left join (
      select f.day, 0::bigint as market_id, ${dailyFigures} from pg_temp.fold_by_user f group by f.day
      union all
      select f.day, f.market_id, ${dailyFigures} from pg_temp.fold_by_user f
      where f.market_id is not null group by f.day, f.market_id
    ) g on g.day = d.day and g.market_id = m.market_id`,
  values: ({ marketIds, liveContent: { episodes, programs, quests, products } }) => [
    marketIds,
    episodes,
    programs,
    quests,
    products,
  ],
};

const contentSums = [...counts, ...efforts, 'questions', ...progress, ...score];

const contents: DatasetDefinition = {
  name: 'contents',
  keys: ['content_ref_id'],
  attributes: ['content_type', 'total_users'],
  sums: ['unique_views', 'active_users', ...contentSums],
  cumulated: [...counts, ...progress, ...score],
  // A learner has one row for each content.
  fresh: `select f.day, f.content_ref_id, min(f.content_type) as content_type, $4::bigint as total_users,
      count(*) filter (where f.views > 0) as unique_views, count(*) as active_users, ${sumsOf(contentSums)}
    from pg_temp.fold_by_content f
    where f.day between $2::date and $3::date
    group by f.day, f.content_ref_id`,
  values: ({ totalLearners }) => [totalLearners],
};

const learnerTypeColumns = countedTypes.flatMap((type) => columnsOfType(type, counts));

const users: DatasetDefinition = {
  name: 'users',
  keys: ['user_id'],
  attributes: [],
  sums: [...counts, ...efforts, ...score, ...learnerTypeColumns],
  cumulated: [...counts, ...learnerTypeColumns],
  fresh: `select f.day, f.user_id, ${sumsOf([...counts, ...efforts, ...score])},
      ${countedTypes.map((type) => sumsOfType(type, counts)).join(',\n      ')}
    from pg_temp.fold_by_user f
    where f.day between $2::date and $3::date
    group by f.day, f.user_id`,
  values: () => [],
};

const engagementSums = [...counts, ...efforts, 'questions', 'answered', ...score];

const contentEngagement: DatasetDefinition = {
  name: 'content_engagement',
  keys: ['user_id', 'content_ref_id'],
  attributes: ['content_type'],
  sums: engagementSums,
  cumulated: ['views', ...efforts, ...score],
  fresh: `select f.day, f.user_id, f.content_ref_id, f.content_type,
      ${engagementSums.map((column) => `f.${column}`).join(', ')}
    from pg_temp.fold_by_content f
    where f.day between $2::date and $3::date`,
  values: () => [],
};

export const datasetDefinitions: readonly DatasetDefinition[] = [daily, contents, users, contentEngagement];
