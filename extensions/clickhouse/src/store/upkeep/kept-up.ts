import { tryLockDatasets } from '../../../../../server/src/analytics/store/days-store.ts';
import type { Database } from '../../../../../server/src/postgres/database.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import type { ClickHouse } from '../clickhouse.ts';

export interface KeptUp {
  readonly jobs: Database;
  readonly writes: Database;
  readonly clickHouse: ClickHouse;
}

/** Runs work under the lock of a brand's datasets; returns `otherwise` while another holds it. */
export function onDatasets<T>(
  { jobs }: KeptUp,
  brandId: number,
  otherwise: T,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return jobs
    .forBrand(brandId)
    .transaction(async (tx) => ((await tryLockDatasets(tx, brandId)) ? work(tx) : otherwise));
}
