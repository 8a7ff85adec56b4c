import { rowSet, type SetColumns } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { noteStockChanges, type StockLock } from './brand-stock-store.ts';
import { levelFields, levelSetColumns } from './level-columns.ts';
import { defaultLocation } from './location.ts';
import { drawLocationIds, insertLocations } from './location-store.ts';
import { moveRollups } from './move-rollups-store.ts';
import { refreshProductStock } from './product-stock-store.ts';
import type { ChangedLevel, NewMovement, StockChanges } from './stock-changes.ts';

/**
 * Writes what `changes` has decided: levels, ledger, rollups of products, stock versions and the lists of changed levels.
 * The statements are sent with the commit, one for each table regardless of the number of changes. Creates a missing
 * default location first, the only thing that a change creates besides its level [catalog-89].
 */
export async function writeStockChanges(tx: Transaction, changes: StockChanges): Promise<void> {
  const { levels, movements } = changes;
  if (levels.length === 0) return;
  const defaultLocations = await createDefaultLocations(tx, levels);
  const [existing, created] = [
    levels.filter(({ place }) => place.level !== null),
    levels.filter(({ place }) => place.level === null),
  ];
  updateLevels(tx, existing);
  insertLevels(tx, created, defaultLocations);
  insertMovements(tx, movements);
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
  const ids = await drawLocationIds(tx, locks.length);
  const created = locks.map((lock, n) => defaultLocation(lock, ids[n] as number));
  insertLocations(tx, created);
  return new Map(created.map(({ brandId, id }) => [brandId, id]));
}

const figures = {
  ...levelSetColumns,
  updated_at: ['timestamptz', ({ lock }) => lock.stampedAt],
} satisfies SetColumns<ChangedLevel>;

const changedLevels = rowSet<ChangedLevel>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ place }) => place.levelId],
  ...figures,
});

function updateLevels(tx: Transaction, levels: readonly ChangedLevel[]): void {
  if (levels.length === 0) return;
  tx.queue(
    statement<never>(
      'update_stock_levels',
      `update stock_levels l
       set ${levelFields.assignments}, updated_at = g.updated_at
       from ${changedLevels.sql}
       -- By place, so that the planner never joins the tables by scanning one of them.
       cross join lateral (
         select k.ctid as place from stock_levels k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where l.ctid = k.place`,
      changedLevels.values(levels),
    ),
  );
}

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

function insertLevels(
  tx: Transaction,
  levels: readonly ChangedLevel[],
  defaultLocations: ReadonlyMap<number, number>,
): void {
  if (levels.length === 0) return;
  const located = levels.map((level) => {
    const locationId = level.place.locationId ?? (defaultLocations.get(level.lock.brandId) as number);
    return { ...level, locationId };
  });
  tx.queue(
    statement<never>(
      'insert_stock_levels',
      `insert into stock_levels (${newLevels.names.join(', ')})
       overriding system value
       select g.* from ${newLevels.sql}`,
      newLevels.values(located),
    ),
  );
}

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

function insertMovements(tx: Transaction, movements: readonly NewMovement[]): void {
  if (movements.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_stock_movements',
      `insert into stock_movements (${newMovements.names.join(', ')})
       overriding system value
       select g.* from ${newMovements.sql}`,
      newMovements.values(movements),
    ),
  );
}

function byLock(levels: readonly ChangedLevel[]): Map<StockLock, ChangedLevel[]> {
  return Map.groupBy(levels, ({ lock }) => lock);
}
