import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** A learner who opted back in and whose days are not marked yet. */
export interface LearnerReturn {
  readonly id: number;
  readonly learnerId: number;
  /** True if the learner has opted out again or was erased, so that there is nothing to mark. */
  readonly isOut: boolean;
}

/** Returns the oldest returns of the brand, at most `limit`. */
export function listReturns(database: Queryable, brandId: number, limit: number): Promise<LearnerReturn[]> {
  return database.run(
    statement<LearnerReturn>(
      'list_learner_returns',
      `select r.id, r.learner_id as "learnerId", coalesce(l.analytics_opt_out, true) as "isOut"
       from (select * from learner_returns where brand_id = $1 order by id limit $2) r
       left join learners l on l.brand_id = r.brand_id and l.id = r.learner_id
       order by r.id`,
      [brandId, limit],
      { long: true },
    ),
  );
}
