import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';

/**
 * The advisory lock of deletions from ClickHouse. Those who delete hold it in shared mode, a backup exclusively: ClickHouse
 * has no snapshot, so what PostgreSQL's refers to has to stay [D205].
 */
export const deletionLock = [4217734, 1] as const;

/** Returns false, without waiting, if a backup is being written. Otherwise none begins before the transaction ends. */
export async function tryLockDeletions(tx: Transaction): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_clickhouse_deletions',
      'select pg_try_advisory_xact_lock_shared($1, $2) as locked',
      [...deletionLock],
    ),
  );
  return rows[0]?.locked === true;
}
