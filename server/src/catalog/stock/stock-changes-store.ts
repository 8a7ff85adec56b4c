import type { BrandLock } from '../../api/brand-lock.ts';
import { storedSourceTime } from '../../lib/source-time.ts';
import { insertion, update, writeRows } from '../../postgres/write-rows.ts';
import { lockFreeStocks, lockStock, type StockLock, stockChangeWrites } from './brand-stock-store.ts';
import { defaultLocation } from './location.ts';
import { insertLocation } from './location-store.ts';
import { movedRollups, refreshProductStock } from './product-stock-store.ts';
import type { ChangedLevel, NewMovement } from './stock-changes.ts';

/** The lock of the writes of stock and its locations. */
export const stockLock: BrandLock<StockLock> = {
  name: 'stock',
  writesAtEnd: true,
  take: lockStock,
  takeFree: lockFreeStocks,
  finish: writeStockChanges,
};

/**
 * Writes what was decided under the locks of one transaction: levels, ledger, rollups, versions and lists of changed levels.
 * Sent with the commit; call it once in a transaction.
 */
export function writeStockChanges(locks: readonly StockLock[]): void {
  const changed = locks.filter(({ changes }) => changes.levels.length > 0);
  const [first] = changed;
  if (first === undefined) return;
  const { tx } = first;
  for (const lock of changed)
    if (lock.newDefaultLocation !== null)
      insertLocation(lock, defaultLocation(lock, lock.newDefaultLocation));
  const levels = changed.flatMap(({ changes }) => changes.levels);
  writeRows(tx, [
    updatedLevels(levels.filter(({ target }) => target.level !== null)),
    newLevels(levels.filter(({ target }) => target.level === null)),
    newMovements(changed.flatMap(({ changes }) => changes.movements)),
    movedRollups(levels),
    ...stockChangeWrites(changed.map((lock) => ({ lock, levelIds: levelIdsOf(lock) }))),
  ]);
  for (const lock of changed) refreshWhereNeeded(lock);
}

function levelIdsOf({ changes }: StockLock): number[] {
  return changes.levels.map(({ target }) => target.levelId);
}

function refreshWhereNeeded(lock: StockLock): void {
  const { levels } = lock.changes;
  const products = levels.filter(({ needsRefresh }) => needsRefresh).map(({ target }) => target.productId);
  if (products.length > 0) refreshProductStock(lock, [...new Set(products)]);
}

const figures = {
  quantity: ['integer', ({ after }: ChangedLevel) => after.quantity],
  reserved: ['integer', ({ after }: ChangedLevel) => after.reserved],
  source_updated_at: ['timestamptz', ({ after }: ChangedLevel) => storedSourceTime(after.sourceAt).at],
  source_micros: ['smallint', ({ after }: ChangedLevel) => storedSourceTime(after.sourceAt).micros],
  is_from_feed: ['boolean', ({ after }: ChangedLevel) => after.isFromFeed],
  updated_at: ['timestamptz', ({ moment }: ChangedLevel) => moment.stampedAt],
} as const;

const updatedLevels = update<ChangedLevel>(
  'levels',
  { table: 'stock_levels', key: ['brand_id', 'id'] },
  {
    brand_id: ['integer', ({ moment }) => moment.brandId],
    id: ['bigint', ({ target }) => target.levelId],
    ...figures,
  },
);

const newLevels = insertion<ChangedLevel>('new_levels', 'stock_levels', {
  brand_id: ['integer', ({ moment }) => moment.brandId],
  id: ['bigint', ({ target }) => target.levelId],
  product_id: ['bigint', ({ target }) => target.productId],
  variant_id: ['bigint', ({ target }) => target.variantId],
  location_id: ['bigint', ({ target }) => target.locationId],
  sku: ['text', ({ target }) => target.sku],
  location_code: ['text', ({ target }) => target.locationCode],
  ...figures,
});

const newMovements = insertion<NewMovement>('movements', 'stock_movements', {
  brand_id: ['integer', ({ moment }) => moment.brandId],
  id: ['bigint', ({ id }) => id],
  level_id: ['bigint', ({ target }) => target.levelId],
  product_id: ['bigint', ({ target }) => target.productId],
  variant_id: ['bigint', ({ target }) => target.variantId],
  sku: ['text', ({ target }) => target.sku],
  location_code: ['text', ({ target }) => target.locationCode],
  quantity_before: ['integer', ({ quantityBefore }) => quantityBefore],
  quantity_after: ['integer', ({ quantityAfter }) => quantityAfter],
  reason: ['text', ({ origin }) => origin.reason],
  note: ['text', ({ origin }) => origin.note],
  key_id: ['text', ({ origin }) => origin.keyId],
  request_id: ['text', ({ origin }) => origin.requestId],
  feed_id: ['bigint', ({ origin }) => origin.feedId],
  feed_line: ['integer', ({ origin }) => origin.feedLine],
  created_at: ['timestamptz', ({ moment }) => moment.stampedAt],
});
