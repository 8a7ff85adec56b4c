import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * Drops up to `limit` records of changed levels from before the given time, the oldest first, and returns their number; less
 * than `limit`: none are left [catalog-121]. Waits for another transaction that drops the same ones: were later records of
 * a brand dropped before earlier ones, a client at the earlier ones would miss them. Leaves closed brands out [D202].
 */
export async function dropStockChanges(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'drop_stock_changes',
      `with old as (
         select c.ctid from stock_changes c
         where c.changed_at < $1
           and not exists (select from brands b where b.id = c.brand_id and b.closed_at is not null)
         order by c.changed_at limit $2 for update of c
       ), gone as (
         delete from stock_changes c using old where c.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [before, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
