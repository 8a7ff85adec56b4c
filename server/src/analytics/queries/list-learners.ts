import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** Of the given learners those that may be shown, with their public ids: in the directory, and not opted out. */
export async function listShownLearners(
  database: Queryable,
  brandId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.run(
    statement<{ id: number; tu_id: string }>(
      'list_shown_learners',
      `select id, tu_id from learners
       where brand_id = $1 and id = any($2::bigint[]) and not analytics_opt_out`,
      [brandId, [...new Set(ids)]],
    ),
  );
  return new Map(rows.map(({ id, tu_id }) => [id, tu_id]));
}

/** The id of a learner who may be shown; null for one who is unknown, opted out or another brand's, all alike. */
export async function findShownLearner(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_shown_learner',
      'select id from learners where brand_id = $1 and tu_id = $2 and not analytics_opt_out',
      [brandId, tuId],
    ),
  );
  return rows[0]?.id ?? null;
}
