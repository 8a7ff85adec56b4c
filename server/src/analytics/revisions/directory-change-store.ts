import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { DirectoryKind } from '../store/engine.ts';

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
