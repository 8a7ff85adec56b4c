import type { CatalogLock } from '../catalog/brand-catalog-store.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** Raises the brand's stamp to that of its latest product. */
export async function raiseStamp({ tx, brandId }: CatalogLock): Promise<void> {
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

/** Sets the slots to versions above any previous one: one change per millisecond since 1970. */
export async function restartStockVersions(
  tx: Transaction,
  brandId: number,
  slots: readonly string[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'restart_stock_versions',
      `update brand_stock_versions set version = (extract(epoch from clock_timestamp()) * 1000)::bigint
       where brand_id = $1 and slot = any($2::smallint[])`,
      [brandId, slots],
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
