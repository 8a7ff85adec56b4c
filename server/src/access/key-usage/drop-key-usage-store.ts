import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * Drops up to `limit` counts of the UTC days before that of the given time, and returns their number; less than `limit`: none
 * are left. A day goes as a whole, so that its sums stay right until then. Skips rows that another transaction is dropping.
 */
export async function dropKeyUsage(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'drop_key_usage',
      `with old as (
         select ctid from api_key_usage where hour < date_trunc('day', $1::timestamptz, 'UTC')
         order by hour limit $2 for update skip locked
       ), gone as (
         delete from api_key_usage u using old where u.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [before, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
