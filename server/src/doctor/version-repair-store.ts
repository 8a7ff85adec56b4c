import type { StockLock } from '../catalog/stock/brand-stock-store.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { CatalogRepair } from './catalog-repair-store.ts';

/** Raises the brand's stamp to that of its latest product. */
export async function raiseStamp({ tx, brandId }: CatalogRepair): Promise<void> {
  await tx.run(
    statement<never>(
      'raise_catalog_stamp',
      `update brand_catalogs c
       set changed_at = greatest(c.changed_at, (select max(updated_at) from products where brand_id = $1))
       where c.brand_id = $1`,
      [brandId],
    ),
  );
}

/** Raises the brand's stock version and stamp to those of its latest recorded change. */
export async function raiseStockVersion({ tx, brandId }: StockLock): Promise<void> {
  await tx.run(
    statement<never>(
      'raise_stock_version',
      `update brand_stocks s
       set version = greatest(s.version, c.version), changed_at = greatest(s.changed_at, c.changed_at)
       from (
         select max(c.version) as version, max(c.changed_at) as changed_at from stock_changes c where c.brand_id = $1
       ) c
       where s.brand_id = $1`,
      [brandId],
    ),
  );
}

/** Records that completed feeds have passed all of their lines. The caller has locked the feeds. */
export async function completeFeedProgress(
  tx: Transaction,
  brandId: number,
  feedIds: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'complete_feed_progress',
      `update stock_feeds set next_line = received_lines
       where brand_id = $1 and id = any($2::bigint[]) and status = 'completed'`,
      [brandId, feedIds],
    ),
  );
}
