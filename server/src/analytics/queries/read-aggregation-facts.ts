import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { AggregationFacts } from '../store/aggregation-types.ts';

interface FactsRow {
  readonly market_ids: number[];
  readonly excluded_user_ids: number[];
  readonly total_users: number;
  readonly episodes: number;
  readonly programs: number;
  readonly quests: number;
  readonly products: number;
}

/**
 * Reads the current facts of the main database for an aggregation [analytics-34], all in one snapshot. Counts the
 * brand's learners, which may take a while, so do not use the shared connection.
 */
export async function readAggregationFacts(database: Queryable, brandId: number): Promise<AggregationFacts> {
  const rows = await database.run(
    statement<FactsRow>(
      'read_aggregation_facts',
      `select
         (select coalesce(json_agg(id), '[]') from markets where brand_id = $1) as market_ids,
         (select coalesce(json_agg(id), '[]') from learners where brand_id = $1 and analytics_opt_out)
           as excluded_user_ids,
         (select count(*) from learners where brand_id = $1 and not analytics_opt_out) as total_users,
         c.episodes, c.programs, c.quests,
         coalesce((select products_active from brand_catalogs where brand_id = $1), 0) as products
       from (
         select count(*) filter (where type = 'episode') as episodes,
           count(*) filter (where type = 'program') as programs,
           count(*) filter (where type = 'quest') as quests
         from contents where brand_id = $1 and is_listed and is_live
       ) c`,
      [brandId],
      { long: true },
    ),
  );
  const row = rows[0] as FactsRow;
  return {
    marketIds: row.market_ids,
    excludedLearnerIds: row.excluded_user_ids,
    totalLearners: row.total_users,
    liveContent: {
      episodes: row.episodes,
      programs: row.programs,
      quests: row.quests,
      products: row.products,
    },
  };
}
