import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * Notifies clients that poll the brand's product list that stock has changed. Every transaction that changes a level,
 * or whether one counts, calls this once, as the last lock that it takes (which rules out a deadlock); one that calls
 * `beginCatalogChange` need not, since that changes the list's version too. `stockKernel` does it on its own. The
 * statement is sent with the commit.
 *
 * The version is a sum over many rows, so that writers of one brand do not wait for each other's commits. Measured with
 * 32 connections that adjust stock of one brand, compared with adjustments that write no version: a third of their rate
 * with one row, 0.8 with 8 rows, and no difference beyond the noise from 16 on. Reading the sum of 64 took 13
 * microseconds, so there are not many more rows than needed.
 */
export function noteStockChange(tx: Transaction, brandId: number): void {
  tx.queue(statement<never>('note_stock_change', bumpStockVersions('select $1::integer'), [brandId]));
}

/** Returns the statement that increments the stock versions of the brands that a subquery yields. */
export function bumpStockVersions(brandIds: string): string {
  return `insert into brand_stock_versions as v (brand_id, slot, version)
    select b.brand_id, pg_backend_pid() % 32, 1 from (${brandIds}) as b (brand_id)
    on conflict (brand_id, slot) do update set version = v.version + 1`;
}
