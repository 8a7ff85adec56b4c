import { brandLocks } from '../../../postgres/brand-locks.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { AggregationOptions } from '../aggregation-types.ts';

/** Waits for the lock under which datasets of a brand are written (aggregation, erasure), until the transaction ends. */
export async function lockDatasets(tx: Transaction, brandId: number): Promise<void> {
  await tx.run(
    statement<never>('lock_analytics_datasets', 'select pg_advisory_xact_lock($1, $2)', [
      brandLocks.datasets,
      brandId,
    ]),
  );
}

/** Takes the lock of `lockDatasets`; false if `whenBusy` is `skip` and another transaction holds it. */
export async function lockDatasetsOrSkip(
  tx: Transaction,
  brandId: number,
  whenBusy: AggregationOptions['whenBusy'],
): Promise<boolean> {
  if (whenBusy === 'skip') return tryLockDatasets(tx, brandId);
  await lockDatasets(tx, brandId);
  return true;
}

/** Like `lockDatasets`, but without waiting: returns false if another transaction holds the lock. */
export async function tryLockDatasets(tx: Transaction, brandId: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ locked: boolean }>(
      'try_lock_analytics_datasets',
      'select pg_try_advisory_xact_lock($1, $2) as locked',
      [brandLocks.datasets, brandId],
    ),
  );
  return rows[0]?.locked === true;
}
