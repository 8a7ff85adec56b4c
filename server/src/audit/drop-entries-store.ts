import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/**
 * Drops up to `limit` entries from before the given time, the oldest first, and returns their number; less than `limit`:
 * none are left. Skips entries that another transaction is dropping.
 */
export async function dropAuditEntries(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'drop_audit_entries',
      // By key: a place in the table (ctid) is one in each partition.
      `with old as (
         select id, at from audit_entries where at < $1 order by at limit $2 for update skip locked
       ), gone as (
         delete from audit_entries e using old where e.id = old.id and e.at = old.at returning 1
       )
       select count(*) as count from gone`,
      [before, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
