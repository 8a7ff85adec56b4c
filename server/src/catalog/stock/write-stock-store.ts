import { storedSourceTime } from '../../lib/source-time.ts';
import { insertRows, rowSet, updateRows } from '../../postgres/row-set.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { drawIds } from '../draw-ids-store.ts';
import { noteStockChanges, type StockLock } from './brand-stock-store.ts';
import { defaultLocation } from './location.ts';
import { insertLocations } from './location-store.ts';
import { moveRollups } from './move-rollups-store.ts';
import { refreshProductStock } from './product-stock-store.ts';
import type { ChangedLevel, NewMovement, StockChanges } from './stock-changes.ts';

/**
 * Writes what was decided with one statement for each table, sent with the commit. Creates a missing default location first,
 * the only thing that a change creates besides its level [catalog-89].
 */
export async function writeStockChanges(tx: Transaction, changes: StockChanges): Promise<void> {
  const { levels, movements } = changes;
  if (levels.length === 0) return;
  const defaultLocations = await createDefaultLocations(tx, levels);
  const existing = levels.filter(({ place }) => place.level !== null);
  const created = levels
    .filter(({ place }) => place.level === null)
    .map((level) => {
      const locationId = level.place.locationId ?? (defaultLocations.get(level.lock.brandId) as number);
      return { ...level, locationId };
    });
  updateRows(tx, { table: 'stock_levels', key: ['brand_id', 'id'] }, changedLevels, existing);
  insertRows(tx, 'stock_levels', newLevels, created);
  insertRows(tx, 'stock_movements', newMovements, movements);
  moveRollups(tx, levels);
  for (const [lock, ofBrand] of byLock(levels)) {
    const ids = ofBrand.filter(({ needsRefresh }) => needsRefresh).map(({ place }) => place.productId);
    if (ids.length > 0) refreshProductStock(lock, [...new Set(ids)]);
  }
  noteStockChanges(
    tx,
    [...byLock(levels)].map(([lock, ofBrand]) => {
      return { lock, levelIds: ofBrand.map(({ place }) => place.levelId) };
    }),
  );
}

/** Returns the id of the default location by brand, for the brands that had none. */
async function createDefaultLocations(
  tx: Transaction,
  levels: readonly ChangedLevel[],
): Promise<ReadonlyMap<number, number>> {
  const locks = [...byLock(levels.filter(({ place }) => place.locationId === null)).keys()];
  if (locks.length === 0) return new Map();
  const ids = await drawIds(tx, 'stock_location', locks.length);
  const created = locks.map((lock, n) => defaultLocation(lock, ids[n] as number));
  insertLocations(tx, created);
  return new Map(created.map(({ brandId, id }) => [brandId, id]));
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

const newLevels = rowSet<ChangedLevel & { readonly locationId: number }>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ place }) => place.levelId],
  product_id: ['bigint', ({ place }) => place.productId],
  variant_id: ['bigint', ({ place }) => place.variantId],
  location_id: ['bigint', ({ locationId }) => locationId],
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
  reason: ['text', ({ reason }) => reason],
  note: ['text', ({ origin }) => origin.note],
  key_id: ['text', ({ origin }) => origin.keyId],
  request_id: ['text', ({ origin }) => origin.requestId],
  feed_id: ['bigint', ({ origin }) => origin.feedId],
  feed_line: ['integer', ({ origin }) => origin.feedLine],
  created_at: ['timestamptz', ({ lock }) => lock.stampedAt],
});

function byLock(levels: readonly ChangedLevel[]): Map<StockLock, ChangedLevel[]> {
  return Map.groupBy(levels, ({ lock }) => lock);
}
