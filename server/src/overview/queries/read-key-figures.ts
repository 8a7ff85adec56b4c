import type { BrandReach } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { Conditions } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';

/** Figures of the keys that are neither revoked nor expired. */
export interface KeyFigures {
  readonly expiring: number;
  /** Keys that were issued more than 90 days ago, and not used since then. */
  readonly unused: number;
  readonly overlaps: number;
}

export async function readKeyFigures(
  database: Queryable,
  brandIds: BrandReach,
  now: Date,
): Promise<KeyFigures> {
  const where = new Conditions([isActive('k')], [now]);
  where.addBrands('k.brand_id', brandIds);
  const rows = await database.run(
    statement<KeyFigures>(
      `read_key_figures${where.code}`,
      `select count(*) filter (where k.expires_at <= $1::timestamptz + interval '30 days') as expiring,
         count(*) filter (where greatest(k.created_at, k.last_used_at) <= $1::timestamptz - interval '90 days') as unused,
         count(*) filter (where k.replaces_key_id is not null and exists (
           select 1 from api_keys p where p.key_id = k.replaces_key_id and p.brand_id = k.brand_id and ${isActive('p')}
         )) as overlaps
       from api_keys k where ${where.sql}`,
      where.values,
      { long: true },
    ),
  );
  return rows[0] as KeyFigures;
}

/** Returns the condition that a key is neither revoked nor expired at the time `$1`. */
export function isActive(alias: string): string {
  return `${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > $1::timestamptz)`;
}

/** Counts rejections with 429 since a time, to the whole hour in which it is; a partial index holds them. */
export async function countDenials(database: Queryable, brandIds: BrandReach, since: Date): Promise<number> {
  const always = ['denied > 0', `hour >= date_trunc('hour', $1::timestamptz, 'UTC')`];
  const where = new Conditions(always, [since]);
  where.addBrands('brand_id', brandIds);
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

export interface RefusalFigures {
  readonly requests: number;
  readonly keys: number;
}

/** Counts the refusals that are kept since a time, by the index of their age. A brand has at most 10,000. */
export async function countRefusals(
  database: Queryable,
  brandIds: BrandReach,
  since: Date,
): Promise<RefusalFigures> {
  const where = new Conditions(['at > $1::timestamptz'], [since]);
  where.addBrands('brand_id', brandIds);
  const rows = await database.run(
    statement<RefusalFigures>(
      `count_refusals_since${where.code}`,
      `select coalesce(sum(requests), 0)::bigint as requests, count(*) as keys
       from (select sum(count) as requests from refusals where ${where.sql} group by key_id) as k`,
      where.values,
      { long: true },
    ),
  );
  return rows[0] as RefusalFigures;
}
