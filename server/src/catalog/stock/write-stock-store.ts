import { storedSourceTime } from '../../lib/source-time.ts';
import { insertRows, rowSet, updateRows } from '../../postgres/row-set.ts';
import { noteStockChange } from './brand-stock-store.ts';
import { moveRollups } from './move-rollups-store.ts';
import { refreshProductStock } from './product-stock-store.ts';
import type { ChangedLevel, NewMovement, StockChanges } from './stock-changes.ts';

/** Writes what was decided with one statement for each table. Sent with the commit. */
export function writeStockChanges({ lock, levels, movements }: StockChanges): void {
  if (levels.length === 0) return;
  const { tx } = lock;
  const existing = levels.filter(({ place }) => place.level !== null);
  const created = levels.filter(({ place }) => place.level === null);
  updateRows(tx, { table: 'stock_levels', key: ['brand_id', 'id'] }, changedLevels, existing);
  insertRows(tx, 'stock_levels', newLevels, created);
  insertRows(tx, 'stock_movements', newMovements, movements);
  moveRollups(tx, levels);
  const refreshed = levels.filter(({ needsRefresh }) => needsRefresh).map(({ place }) => place.productId);
  if (refreshed.length > 0) refreshProductStock(lock, [...new Set(refreshed)]);
  noteStockChange(
    lock,
    levels.map(({ place }) => place.levelId),
  );
}

const figures = {
  quantity: ['integer', ({ after }: ChangedLevel) => after.quantity],
  reserved: ['integer', ({ after }: ChangedLevel) => after.reserved],
  source_updated_at: ['timestamptz', ({ after }: ChangedLevel) => storedSourceTime(after.sourceAt).at],
  source_micros: ['smallint', ({ after }: ChangedLevel) => storedSourceTime(after.sourceAt).micros],
  is_from_feed: ['boolean', ({ after }: ChangedLevel) => after.isFromFeed],
  updated_at: ['timestamptz', ({ lock }: ChangedLevel) => lock.stampedAt],
} as const;

const changedLevels = rowSet<ChangedLevel>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ place }) => place.levelId],
  ...figures,
});

const newLevels = rowSet<ChangedLevel>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ place }) => place.levelId],
  product_id: ['bigint', ({ place }) => place.productId],
  variant_id: ['bigint', ({ place }) => place.variantId],
  location_id: ['bigint', ({ place }) => place.locationId],
  sku: ['text', ({ place }) => place.sku],
  location_code: ['text', ({ place }) => place.locationCode],
  ...figures,
});

const newMovements = rowSet<NewMovement>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ id }) => id],
  level_id: ['bigint', ({ place }) => place.levelId],
  product_id: ['bigint', ({ place }) => place.productId],
  variant_id: ['bigint', ({ place }) => place.variantId],
  sku: ['text', ({ place }) => place.sku],
  location_code: ['text', ({ place }) => place.locationCode],
  quantity_before: ['integer', ({ quantityBefore }) => quantityBefore],
  quantity_after: ['integer', ({ quantityAfter }) => quantityAfter],
  reason: ['text', () => 'feed'],
  note: ['text', ({ origin }) => origin.note],
  feed_id: ['bigint', ({ origin }) => origin.feedId],
  feed_line: ['integer', ({ origin }) => origin.feedLine],
  created_at: ['timestamptz', ({ lock }) => lock.stampedAt],
});
