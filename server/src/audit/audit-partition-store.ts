import { deleteRows } from '../postgres/delete-rows.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/**
 * Returns the new partition's name; null: one has the month.
 * @throws DatabaseError 55P03 if a lock was not free within half a second
 */
export async function makeAuditPartition(tx: Transaction, at: Date): Promise<string | null> {
  const rows = await tx.run(
    statement<{ name: string | null }>('make_audit_partition', 'select make_audit_partition($1) as name', [
      at,
    ]),
  );
  return rows[0]?.name ?? null;
}

/**
 * Drops the oldest partition if all of it is due, and returns the number of its entries; null: it is not due.
 * @throws DatabaseError 55P03 if a lock was not free within half a second; nothing is dropped then
 */
export async function dropAuditPartition(tx: Transaction, before: Date): Promise<number | null> {
  const rows = await tx.run(
    statement<{ count: number | null }>('drop_audit_partition', 'select drop_audit_partition($1) as count', [
      before,
    ]),
  );
  return rows[0]?.count ?? null;
}

/** Drops up to `limit` entries from before the given time, the oldest first, and returns their number. */
export function dropAuditEntries(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = { name: 'drop_audit_entries', table: 'audit_entries', key: ['id', 'at'], where: 'at < $1' };
  return deleteRows(tx, { ...old, orderBy: 'at', values: [before] }, limit);
}
