import type { Database } from './database.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

export interface DoomedRows {
  /** The name of the statement. */
  readonly name: string;
  readonly table: string;
  readonly where: string;
  /** Those that are deleted first. */
  readonly orderBy: string;
  readonly values: readonly unknown[];
}

/** Deletes up to `limit` rows and returns their number; less: none are left. Skips rows that are being deleted. */
export async function deleteRows(
  tx: Transaction,
  { name, table, where, orderBy, values }: DoomedRows,
  limit: number,
): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      name,
      `with old as (
         select ctid from ${table} where ${where}
         order by ${orderBy} limit $${values.length + 1} for update skip locked
       ), gone as (
         delete from ${table} t using old where t.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [...values, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}

const batchRows = 5_000;

/** Deletes all rows that match, in transactions of 5,000, and returns their number. Safe to run concurrently. */
export async function deleteAllRows(database: Database, doomed: DoomedRows): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await database.transaction((tx) => deleteRows(tx, doomed, batchRows));
    total += deleted;
    if (deleted < batchRows) return total;
  }
}
