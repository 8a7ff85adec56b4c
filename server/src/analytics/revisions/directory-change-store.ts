import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { DirectoryKind } from '../store/dataset-changes.ts';

/** A change of the directory after which the revisions of days have not been moved yet. */
export interface DirectoryChange {
  readonly id: number;
  readonly kind: DirectoryKind;
  /** The id of a learner, content or market, which may have been deleted. */
  readonly subjectId: number;
}

/** Returns whether changes of the brand wait, including those of this transaction. */
export async function hasDirectoryChanges(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ waits: boolean }>(
      'has_directory_changes',
      'select exists (select from directory_changes where brand_id = $1) as waits',
      [brandId],
    ),
  );
  return rows[0]?.waits === true;
}

/** The oldest changes of the brand, at most `limit`, all committed before the call. */
export async function listDirectoryChanges(
  database: Queryable,
  brandId: number,
  limit: number,
): Promise<DirectoryChange[]> {
  const rows = await database.run(
    statement<{ id: number; kind: DirectoryKind; subject_id: number }>(
      'list_directory_changes',
      'select id, kind, subject_id from directory_changes where brand_id = $1 order by id limit $2',
      [brandId, limit],
      { long: true },
    ),
  );
  return rows.map(({ id, kind, subject_id }) => ({ id, kind, subjectId: subject_id }));
}

export async function deleteDirectoryChanges(
  tx: Transaction,
  brandId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_directory_changes',
      'delete from directory_changes where brand_id = $1 and id = any($2::bigint[])',
      [brandId, ids],
    ),
  );
}

/** Lists the brands with a change that has waited for `idleMs`. Reads across brands; the table is usually empty. */
export async function listBrandsWithDirectoryChanges(database: Queryable, idleMs: number): Promise<number[]> {
  const rows = await database.run(
    statement<{ brand_id: number }>(
      'list_brands_with_directory_changes',
      `select distinct brand_id from directory_changes
       where created_at <= now_ms() - $1 * interval '1 millisecond'
         and not exists (select from brands b where b.id = brand_id and b.closed_at is not null)`,
      [idleMs],
    ),
  );
  return rows.map(({ brand_id }) => brand_id);
}

/**
 * Returns a time before which no request has changed the brand's directory without the revisions having moved: the time of the
 * oldest waiting change, or of the statement. A waiting change commits after the row with the lowest id was written.
 * Revisions read after this call are complete up to the returned time.
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
