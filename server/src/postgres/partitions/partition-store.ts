import { statement } from '../statement.ts';
import type { Transaction } from '../transaction.ts';
import type { PartitionedTable, PartitionedTableName } from './partitioned-tables.ts';

/**
 * Announces the end of a table's last partition if it is in use or large. Returns the partition whose end is announced and
 * not made yet; null: none. See `announce-partition-end.sql`.
 * @throws DatabaseError 55P03 if a lock was not free within half a second
 */
export async function announcePartitionEnd(
  tx: Transaction,
  { table, sequence }: PartitionedTable,
  leastBytes: number,
): Promise<string | null> {
  const rows = await tx.run(
    statement<{ name: string | null }>(
      'announce_partition_end',
      'select announce_partition_end($1, $2, $3) as name',
      [table, sequence, leastBytes],
    ),
  );
  return rows[0]?.name ?? null;
}

/** Proves that all rows of a partition are before its announced end. Reads the partition; blocks no reader or writer. */
export async function validatePartitionEnd(tx: Transaction, partition: string): Promise<void> {
  await tx.run(statement<never>('validate_partition_end', 'select validate_partition_end($1)', [partition]));
}

/** Takes an announced end back; a partition that has its end keeps it. */
export async function withdrawPartitionEnd(tx: Transaction, partition: string): Promise<void> {
  await tx.run(statement<never>('withdraw_partition_end', 'select withdraw_partition_end($1)', [partition]));
}

/**
 * Ends the last partition where it was announced, and adds the next one. Returns its name; null: nothing was announced.
 * @throws DatabaseError 55P03 if a lock was not free within half a second
 */
export async function openNextPartition(
  tx: Transaction,
  { table }: PartitionedTable,
): Promise<string | null> {
  const rows = await tx.run(
    statement<{ name: string | null }>('open_next_partition', 'select open_next_partition($1) as name', [
      table,
    ]),
  );
  return rows[0]?.name ?? null;
}

/** Returns the id before which the first partition of a table ends; null: the table has one partition. */
export async function findFirstPartitionEnd(
  tx: Transaction,
  table: PartitionedTableName,
): Promise<number | null> {
  const rows = await tx.run(
    statement<{ ends_before: number | null }>(
      'find_first_partition_end',
      'select ends_before from table_partitions where table_name = $1 and begins_at is null',
      [table],
    ),
  );
  return rows[0]?.ends_before ?? null;
}

/**
 * Locks the first partition of a table until the end of the transaction, so that nobody reads or writes it. Returns whether
 * it still ends at `end`.
 * @throws DatabaseError 55P03 if a lock was not free within half a second, for example during a backup
 */
export async function lockFirstPartition(
  tx: Transaction,
  table: PartitionedTableName,
  end: number,
): Promise<boolean> {
  const rows = await tx.run(
    statement<{ ends_before: number | null }>(
      'lock_first_partition',
      'select lock_first_partition($1) as ends_before',
      [table],
    ),
  );
  return rows[0]?.ends_before === end;
}

/** Drops the first partition of a table, which the transaction has locked; its range goes to the next one. */
export function dropFirstPartition(tx: Transaction, table: PartitionedTableName): void {
  tx.queue(statement<never>('drop_first_partition', 'select drop_first_partition($1)', [table]));
}
