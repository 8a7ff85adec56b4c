import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * Lets those who poll the brand's product list know that stock has changed. Every transaction that changes a level, or
 * whether one counts, calls this once, as the last thing that it locks (so it can be in no deadlock); one that goes
 * through `beginCatalogChange` need not, since that moves what the list is known by as well. `stockKernel` does it
 * itself. Goes to the database with the commit.
 *
 * The version is a sum over many rows, so that writers of one brand do not wait for each other's commits. Measured with 32
 * connections that adjust stock of one brand, against adjustments that move no version: with one row a third of their
 * rate, with 8 rows 0.8, from 16 on no difference that stood out of the noise. Reading the sum of 64 took 13 microseconds, so
 * there are not many more than it needs.
 */
export function noteStockChange(tx: Transaction, brandId: number): void {
  tx.send(statement<never>('note_stock_change', bumpStockVersions('select $1::integer'), [brandId]));
}

/** The statement that moves the stock versions of the brands that a subquery yields. */
export function bumpStockVersions(brandIds: string): string {
  return `insert into brand_stock_versions as v (brand_id, slot, version)
    select b.brand_id, pg_backend_pid() % 32, 1 from (${brandIds}) as b (brand_id)
    on conflict (brand_id, slot) do update set version = v.version + 1`;
}
