import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';

/** The periods for which expiring keys are counted, ascending. */
export const expiryWindows = ['1d', '7d', '30d'] as const;
export type ExpiryWindow = (typeof expiryWindows)[number];

/** Counts the keys of all brands that work now and expire within each period, by the index `api_keys_by_expiry`. */
export async function countExpiringKeys(
  database: Queryable,
): Promise<Readonly<Record<ExpiryWindow, number>>> {
  const rows = await database.run(
    statement<Record<ExpiryWindow, number>>(
      'count_expiring_keys',
      `select count(*) filter (where expires_at < now_ms() + interval '1 day') as "1d",
         count(*) filter (where expires_at < now_ms() + interval '7 days') as "7d",
         count(*) as "30d"
       from api_keys
       where revoked_at is null and expires_at >= now_ms() and expires_at < now_ms() + interval '30 days'`,
      [],
      { long: true },
    ),
  );
  return rows[0] ?? { '1d': 0, '7d': 0, '30d': 0 };
}
