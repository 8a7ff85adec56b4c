import {
  countedTypes,
  type DatasetName,
  type DatasetShape,
  datasetNames,
  datasetShapes,
  shapeOf,
} from '../datasets.ts';
import type { DirectoryAtAggregation } from '../engine.ts';

/** A dataset, and how PostgreSQL computes its rows; `aggregation.ts` makes its SQL from both. */
export interface DatasetDefinition extends DatasetShape, FreshRows {
  readonly name: DatasetName;
}

interface FreshRows {
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

/** The sums of the columns that one content type has (`episode_views` and so on); 0 without such rows. */
function sumsOfType(type: string, columns: readonly string[]): string {
  return columns
    .filter((column) => column.startsWith(`${type}_`))
    .map(
      (column) =>
        `coalesce(sum(f.${column.slice(type.length + 1)}) filter (where f.content_type = '${type}'), 0) as ${column}`,
    )
    .join(', ');
}

/** The sums over all types, then those of each type. */
function sumsByType(columns: readonly string[]): string {
  const ofTypes = countedTypes.map((type) => sumsOfType(type, columns));
  const overAll = columns.filter((column) => !countedTypes.some((type) => column.startsWith(`${type}_`)));
  return [sumsOf(overAll), ...ofTypes].join(',\n      ');
}

const [, ...dailySums] = datasetShapes.daily.sums;
const dailyFigures = `count(distinct f.user_id) as active_users, ${sumsByType(dailySums)}`;

/** A learner has one row for each content. */
const [, , ...contentSums] = datasetShapes.contents.sums;

const freshRows: Readonly<Record<DatasetName, FreshRows>> = {
  /** Every day of the range has a row of the brand, and one for every market of the brand. */
  daily: {
    fresh: `select d.day, m.market_id,
      $5::bigint as live_episodes, $6::bigint as live_programs, $7::bigint as live_quests, $8::bigint as live_products,
      ${datasetShapes.daily.sums.map((column) => `coalesce(g.${column}, 0) as ${column}`).join(', ')}
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
  },
  contents: {
    fresh: `select f.day, f.content_ref_id, min(f.content_type) as content_type, $4::bigint as total_users,
      count(*) filter (where f.views > 0) as unique_views, count(*) as active_users, ${sumsOf(contentSums)}
    from pg_temp.fold_by_content f
    where f.day between $2::date and $3::date
    group by f.day, f.content_ref_id`,
    values: ({ totalLearners }) => [totalLearners],
  },
  users: {
    fresh: `select f.day, f.user_id, ${sumsByType(datasetShapes.users.sums)}
    from pg_temp.fold_by_user f
    where f.day between $2::date and $3::date
    group by f.day, f.user_id`,
    values: () => [],
  },
  content_engagement: {
    fresh: `select f.day, f.user_id, f.content_ref_id, f.content_type,
      ${datasetShapes.content_engagement.sums.map((column) => `f.${column}`).join(', ')}
    from pg_temp.fold_by_content f
    where f.day between $2::date and $3::date`,
    values: () => [],
  },
};

export const datasetDefinitions: readonly DatasetDefinition[] = datasetNames.map((name) => ({
  name,
  ...shapeOf(name),
  ...freshRows[name],
}));
