import type { BrandReach } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { withinReach } from './reach-condition.ts';

/**
 * Returns the number of requests with a key that were rejected with 429 since a time, to the whole hour in which it is. A
 * partial index holds the counts with denials.
 */
export async function countDenials(database: Queryable, brandIds: BrandReach, since: Date): Promise<number> {
  const always = ['denied > 0', `hour >= date_trunc('hour', $1::timestamptz, 'UTC')`];
  const where = withinReach(always, [since], 'brand_id', brandIds);
  const rows = await database.run(
    statement<{ denied: number }>(
      `count_denials${where.code}`,
      `select coalesce(sum(denied), 0)::bigint as denied from api_key_usage where ${where.sql}`,
      where.values,
      { long: true },
    ),
  );
  return rows[0]?.denied ?? 0;
}
