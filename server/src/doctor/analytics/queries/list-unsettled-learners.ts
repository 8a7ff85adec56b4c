import type { Database } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/** Learners of the main database for whom only the stored rows show whether an aggregation counted them. */
export interface UnsettledLearners {
  readonly optedOut: readonly number[];
  /** Learners who opted back in and whose days are not marked yet. */
  readonly returning: readonly number[];
  readonly marketIds: readonly number[];
}

export async function listUnsettledLearners(database: Database, brandId: number): Promise<UnsettledLearners> {
  const rows = await database.run(
    statement<UnsettledLearners>(
      'list_unsettled_learners',
      `select
         (select coalesce(json_agg(id), '[]') from learners where brand_id = $1 and analytics_opt_out) as "optedOut",
         (select coalesce(json_agg(distinct learner_id), '[]') from learner_returns where brand_id = $1) as returning,
         (select coalesce(json_agg(id), '[]') from markets where brand_id = $1) as "marketIds"`,
      [brandId],
      { long: true },
    ),
  );
  return rows[0] as UnsettledLearners;
}
