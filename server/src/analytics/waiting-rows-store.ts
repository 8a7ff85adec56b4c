import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** The tables whose rows wait until the analytics store has taken notice of them. */
type WaitingTable = 'learner_returns' | 'directory_changes';

/** Includes rows of this transaction. */
export async function hasWaitingRows(
  tx: Transaction,
  table: WaitingTable,
  brandId: number,
): Promise<boolean> {
  const rows = await tx.run(
    statement<{ waits: boolean }>(
      `has_${table}`,
      `select exists (select from ${table} where brand_id = $1) as waits`,
      [brandId],
    ),
  );
  return rows[0]?.waits === true;
}

export async function deleteWaitingRows(
  tx: Transaction,
  table: WaitingTable,
  brandId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.run(
    statement<never>(
      `delete_${table}`,
      `delete from ${table} where brand_id = $1 and id = any($2::bigint[])`,
      [brandId, ids],
    ),
  );
}

/** Reads across brands; the tables are usually empty. */
export async function listBrandsWithWaitingRows(
  database: Queryable,
  table: WaitingTable,
  idleMs: number,
): Promise<number[]> {
  const rows = await database.run(
    statement<{ brand_id: number }>(
      `list_brands_with_${table}`,
      `select distinct brand_id from ${table}
       where created_at <= now_ms() - $1 * interval '1 millisecond'`,
      [idleMs],
    ),
  );
  return rows.map(({ brand_id }) => brand_id);
}

/** A learner who opted back in and whose days are not marked yet. */
export interface LearnerReturn {
  readonly id: number;
  readonly learnerId: number;
  /** True if the learner has opted out again or was erased, so that there is nothing to mark. */
  readonly isOut: boolean;
}

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
