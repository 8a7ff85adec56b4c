import type { BrandReach } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { withinReach } from './reach-condition.ts';

/** The requests of keys that were answered with 4xx or 5xx. */
export interface RefusalFigures {
  readonly requests: number;
  /** The keys of these requests. */
  readonly keys: number;
}

/** Counts the refusals that are kept since a time, by the index of their age. A brand has at most 10,000. */
export async function countRefusals(
  database: Queryable,
  brandIds: BrandReach,
  since: Date,
): Promise<RefusalFigures> {
  const where = withinReach(['at > $1::timestamptz'], [since], 'brand_id', brandIds);
  const rows = await database.run(
    statement<RefusalFigures>(
      `count_refusals_since${where.code}`,
      `select coalesce(sum(requests), 0)::bigint as requests, count(*) as keys
       from (select sum(count) as requests from refusals where ${where.sql} group by key_id) as k`,
      where.values,
      { long: true },
    ),
  );
  return rows[0] ?? { requests: 0, keys: 0 };
}
