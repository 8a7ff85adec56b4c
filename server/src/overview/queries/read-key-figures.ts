import type { BrandReach } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { withinReach } from './reach-condition.ts';

/** Figures of the keys that are neither revoked nor expired. */
export interface KeyFigures {
  /** Keys that expire within 30 days. */
  readonly expiring: number;
  /** Keys that were issued more than 90 days ago, and not used since then. */
  readonly unused: number;
  /** Keys that replace another one, which still works. */
  readonly overlaps: number;
}

/** Counts keys of the given brands, or of all, in one pass over them. */
export async function readKeyFigures(
  database: Queryable,
  brandIds: BrandReach,
  now: Date,
): Promise<KeyFigures> {
  const where = withinReach([isActive('k')], [now], 'k.brand_id', brandIds);
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
  return rows[0] ?? { expiring: 0, unused: 0, overlaps: 0 };
}

/** Returns the condition that a key is neither revoked nor expired at the time `$1`. */
export function isActive(alias: string): string {
  return `${alias}.revoked_at is null and (${alias}.expires_at is null or ${alias}.expires_at > $1::timestamptz)`;
}
