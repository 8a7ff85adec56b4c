import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/**
 * Returns the given learners that may be shown (in the directory and not opted out), with their public ids. The query
 * returns one string, since neither id contains a comma: 500 learners take 1.0 ms instead of 1.35 ms, and half of
 * Node's time.
 */
export async function listShownLearners(
  database: Queryable,
  brandId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const [row] = await database.run(
    statement<{ learners: string | null }>(
      'list_shown_learners',
      // "offset 0" forces one look-up for each: without table statistics, all learners of the brand were read.
      `select string_agg(l.id || ',' || l.tu_id, ',') as learners
       from unnest($2::bigint[]) as i (id)
       cross join lateral (
         select l.id, l.tu_id, l.analytics_opt_out from learners l where l.brand_id = $1 and l.id = i.id
         offset 0
       ) as l
       where not l.analytics_opt_out`,
      [brandId, `{${[...new Set(ids)].join(',')}}`],
    ),
  );
  const values = row?.learners?.split(',') ?? [];
  const shown = new Map<number, string>();
  for (let i = 0; i < values.length; i += 2) shown.set(Number(values[i]), values[i + 1] as string);
  return shown;
}

/** The id of a learner who may be shown; null if unknown, opted out or of another brand. */
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
