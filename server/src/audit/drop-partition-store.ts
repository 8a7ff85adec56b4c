import {
  dropFirstPartition,
  findFirstPartitionEnd,
  lockFirstPartition,
} from '../postgres/partitions/partition-store.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/**
 * Drops the first partition of the audit if all of its entries are from before the given time, and returns their number,
 * counted before others were kept from it; null: it is not due.
 * @throws DatabaseError 55P03 if a lock was not free within half a second; nothing is dropped then
 */
export async function dropAuditPartition(tx: Transaction, before: Date): Promise<number | null> {
  const end = await findFirstPartitionEnd(tx, 'audit_entries');
  if (end === null || !(await isDue(tx, end, before))) return null;
  const rows = await tx.run(
    statement<{ count: number }>(
      'count_audit_partition',
      'select count(*) as count from audit_entries where id < $1',
      [end],
    ),
  );
  if (!(await lockFirstPartition(tx, 'audit_entries', end)) || !(await isDue(tx, end, before))) return null;
  dropFirstPartition(tx, 'audit_entries');
  return rows[0]?.count ?? 0;
}

async function isDue(tx: Transaction, end: number, before: Date): Promise<boolean> {
  const rows = await tx.run(
    statement<{ is_due: boolean }>(
      'is_audit_partition_due',
      'select not exists (select from audit_entries where id < $1 and at >= $2) as is_due',
      [end, before],
    ),
  );
  return rows[0]?.is_due === true;
}
