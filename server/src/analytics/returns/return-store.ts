import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/** A learner who opted back in and whose days are not marked yet. */
export interface LearnerReturn {
  readonly id: number;
  readonly learnerId: number;
  /** True if the learner has opted out again or was erased, so that there is nothing to mark. */
  readonly isOut: boolean;
}

/** Returns whether the brand has waiting returns. In the transaction of an opt-in, includes that opt-in. */
export async function hasReturns(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ waits: boolean }>(
      'has_learner_returns',
      'select exists (select from learner_returns where brand_id = $1) as waits',
      [brandId],
    ),
  );
  return rows[0]?.waits === true;
}

/** Returns the oldest returns of the brand, at most `limit`. */
export async function listReturns(
  database: Queryable,
  brandId: number,
  limit: number,
): Promise<LearnerReturn[]> {
  const rows = await database.run(
    statement<{ id: number; learner_id: number; is_out: boolean }>(
      'list_learner_returns',
      `select r.id, r.learner_id, coalesce(l.analytics_opt_out, true) as is_out
       from (select * from learner_returns where brand_id = $1 order by id limit $2) r
       left join learners l on l.brand_id = r.brand_id and l.id = r.learner_id
       order by r.id`,
      [brandId, limit],
      { long: true },
    ),
  );
  return rows.map(({ id, learner_id, is_out }) => ({ id, learnerId: learner_id, isOut: is_out }));
}

export async function deleteReturns(tx: Transaction, brandId: number, ids: readonly number[]): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_learner_returns',
      'delete from learner_returns where brand_id = $1 and id = any($2::bigint[])',
      [brandId, ids],
    ),
  );
}

/** Lists the brands with a return that has waited for `idleMs`. Reads across brands; the table is usually empty. */
export async function listBrandsWithReturns(database: Queryable, idleMs: number): Promise<number[]> {
  const rows = await database.run(
    statement<{ brand_id: number }>(
      'list_brands_with_learner_returns',
      `select distinct brand_id from learner_returns
       where created_at <= now_ms() - $1 * interval '1 millisecond'
         and not exists (select from brands b where b.id = brand_id and b.closed_at is not null)`,
      [idleMs],
    ),
  );
  return rows.map(({ brand_id }) => brand_id);
}
