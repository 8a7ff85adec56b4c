import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { DirectoryKind } from '../store/datasets.ts';

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
    statement<{ brandId: number }>(
      `list_brands_with_${table}`,
      `select distinct brand_id as "brandId" from ${table}
       where created_at <= now_ms() - $1 * interval '1 millisecond'`,
      [idleMs],
    ),
  );
  return rows.map(({ brandId }) => brandId);
}

/** A learner who opted back in and whose days are not marked yet. */
interface OptIn {
  readonly id: number;
  readonly learnerId: number;
  /** True if the learner has opted out again or was erased, so that there is nothing to mark. */
  readonly isOut: boolean;
}

export function listOptIns(database: Queryable, brandId: number, limit: number): Promise<OptIn[]> {
  return database.run(
    statement<OptIn>(
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

/** A change of the directory after which the revisions of days have not been moved yet. */
export interface DirectoryChange {
  readonly id: number;
  readonly kind: DirectoryKind;
  /** The id of a learner, content or market, which may have been deleted. */
  readonly subjectId: number;
}

/** The oldest changes of the brand, at most `limit`, all committed before the call. */
export function listDirectoryChanges(
  database: Queryable,
  brandId: number,
  limit: number,
): Promise<DirectoryChange[]> {
  return database.run(
    statement<DirectoryChange>(
      'list_directory_changes',
      'select id, kind, subject_id as "subjectId" from directory_changes where brand_id = $1 order by id limit $2',
      [brandId, limit],
      { long: true },
    ),
  );
}

/**
 * Returns a time before which every change of the directory has moved its revisions: that of the oldest waiting change, or of
 * the statement. A waiting change commits after the row with the lowest id was written. Revisions read after this call are
 * complete up to that time.
 */
export async function findSettledUntil(database: Queryable, brandId: number): Promise<Date> {
  const rows = await database.run(
    statement<{ at: Date }>(
      'find_directory_settled_until',
      // statement_timestamp() precedes the snapshot of the statement; the clock would be read after it.
      `select coalesce(
         (select created_at from directory_changes where brand_id = $1 order by id limit 1),
         date_trunc('milliseconds', statement_timestamp())
       ) as at`,
      [brandId],
    ),
  );
  return (rows[0] as { at: Date }).at;
}
