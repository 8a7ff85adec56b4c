import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';

// The first of the two numbers of an advisory lock; the second is the brand.
const lockClass = 4_217_732;

/**
 * Waits for the lock under which datasets of a brand are written (aggregation, erasure), and holds it until the
 * transaction ends.
 */
export async function lockDatasets(tx: Transaction, brandId: number): Promise<void> {
  await tx.run(
    statement<never>('lock_analytics_datasets', 'select pg_advisory_xact_lock($1, $2)', [lockClass, brandId]),
  );
}

/** Like `lockDatasets`, but without waiting: returns false if another transaction holds the lock. */
export async function tryLockDatasets(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_analytics_datasets',
      'select pg_try_advisory_xact_lock($1, $2) as locked',
      [lockClass, brandId],
    ),
  );
  return rows[0]?.locked === true;
}
