import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { AggregationFacts } from '../store/engine.ts';

/** All brands, oldest first. */
export async function listBrandIds(database: Queryable): Promise<number[]> {
  const rows = await database.run(
    statement<{ id: number }>('list_brand_ids', 'select id from brands order by id'),
  );
  return rows.map(({ id }) => id);
}

export async function listBrandNames(
  database: Queryable,
  brandIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.run(
    statement<{ id: number; name: string }>(
      'list_brand_names',
      'select id, name from brands where id = any($1::integer[])',
      [brandIds],
    ),
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Reads the facts of an aggregation in one snapshot [analytics-34]. Counts the brand's learners, which may take a while. */
export async function readAggregationFacts(database: Queryable, brandId: number): Promise<AggregationFacts> {
  const rows = await database.run(
    statement<AggregationFacts>(
      'read_aggregation_facts',
      `select
         (select coalesce(json_agg(id), '[]') from markets where brand_id = $1) as "marketIds",
         (select coalesce(json_agg(id), '[]') from learners where brand_id = $1 and analytics_opt_out)
           as "excludedLearnerIds",
         (select count(*) from learners where brand_id = $1 and not analytics_opt_out) as "totalLearners",
         json_build_object(
           'episodes', c.episodes, 'programs', c.programs, 'quests', c.quests,
           'products', coalesce((select products_active from brand_catalogs where brand_id = $1), 0)
         ) as "liveContent"
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
  return rows[0] as AggregationFacts;
}
