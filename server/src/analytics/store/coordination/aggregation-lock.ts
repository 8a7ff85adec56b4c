import { brandLocks, earlierBrandLock } from '../../../postgres/brand-locks.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';

/**
 * Waits for the lock under which datasets of a brand are written (aggregation, erasure), and holds it until the
 * transaction ends.
 */
export async function lockDatasets(tx: Transaction, brandId: number): Promise<void> {
  await tx.run(
    statement<never>(
      'lock_analytics_datasets',
      // In this order: a transaction that waits for the second one holds the first one in shared mode only.
      'select pg_advisory_xact_lock_shared($1, $3), pg_advisory_xact_lock($2, $3)',
      [earlierBrandLock, brandLocks.datasets, brandId],
    ),
  );
}

/** Like `lockDatasets`, but without waiting: returns false if another transaction holds the lock. */
export async function tryLockDatasets(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_analytics_datasets',
      `select case when pg_try_advisory_xact_lock_shared($1, $3) then pg_try_advisory_xact_lock($2, $3) else false end
         as locked`,
      [earlierBrandLock, brandLocks.datasets, brandId],
    ),
  );
  return rows[0]?.locked === true;
}
