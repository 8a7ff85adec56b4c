import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { noteStockChanges, type StockLock } from './brand-stock-store.ts';
import { defaultLocation } from './location.ts';
import { drawLocationIds, insertLocations } from './location-store.ts';
import { refreshProductStock } from './product-stock-store.ts';
import type { ChangedLevel, NewMovement, StockChanges } from './stock-changes.ts';
import { addDifference, freshAtOf, noRollupDifference, rollupPart } from './stock-rollup.ts';

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

function updateLevels(tx: Transaction, levels: readonly ChangedLevel[]): void {
  if (levels.length === 0) return;
  const rows = levels.map(({ lock, place, after }) => ({
    ...{ brand_id: lock.brandId, id: place.levelId, updated_at: lock.stampedAt },
    ...columnsOf(after),
  }));
  tx.queue(
    statement<never>(
      'update_stock_levels',
      `update stock_levels l
       set quantity = g.quantity, reserved = g.reserved, source_updated_at = g.source_updated_at,
         is_from_feed = g.is_from_feed, updated_at = g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, quantity integer, reserved integer,
         source_updated_at timestamptz, is_from_feed boolean, updated_at timestamptz)
       -- By place, so that the planner never joins the tables by scanning one of them.
       cross join lateral (
         select k.ctid as place from stock_levels k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where l.ctid = k.place`,
      [JSON.stringify(rows)],
    ),
  );
}

function insertLevels(
  tx: Transaction,
  levels: readonly ChangedLevel[],
  defaultLocations: ReadonlyMap<number, number>,
): void {
  if (levels.length === 0) return;
  const rows = levels.map(({ lock, place, after }) => ({
    ...{
      brand_id: lock.brandId,
      id: place.levelId,
      product_id: place.productId,
      variant_id: place.variantId,
    },
    location_id: place.locationId ?? defaultLocations.get(lock.brandId),
    ...{ sku: place.sku, location_code: place.locationCode, updated_at: lock.stampedAt },
    ...columnsOf(after),
  }));
  tx.queue(
    statement<never>(
      'insert_stock_levels',
      `insert into stock_levels (brand_id, id, product_id, variant_id, location_id, sku, location_code, quantity, reserved,
         source_updated_at, is_from_feed, updated_at)
       overriding system value
       select g.brand_id, g.id, g.product_id, g.variant_id, g.location_id, g.sku, g.location_code, g.quantity, g.reserved,
         g.source_updated_at, g.is_from_feed, g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, product_id bigint, variant_id bigint,
         location_id bigint, sku text, location_code text, quantity integer, reserved integer,
         source_updated_at timestamptz, is_from_feed boolean, updated_at timestamptz)`,
      [JSON.stringify(rows)],
    ),
  );
}

function columnsOf({ quantity, reserved, sourceAt, isFromFeed }: ChangedLevel['after']) {
  return { quantity, reserved, source_updated_at: new Date(sourceAt), is_from_feed: isFromFeed };
}

function insertMovements(tx: Transaction, movements: readonly NewMovement[]): void {
  if (movements.length === 0) return;
  const rows = movements.map(({ id, lock, place, quantityBefore, quantityAfter, reason, origin }) => ({
    ...{ brand_id: lock.brandId, id, level_id: place.levelId, product_id: place.productId },
    ...{ variant_id: place.variantId, sku: place.sku, location_code: place.locationCode },
    ...{ quantity_before: quantityBefore, quantity_after: quantityAfter, reason, note: origin.note },
    ...{ key_id: origin.keyId, request_id: origin.requestId },
    ...{ feed_id: origin.feedId, feed_line: origin.feedLine, created_at: lock.stampedAt },
  }));
  tx.queue(
    statement<never>(
      'insert_stock_movements',
      `insert into stock_movements (brand_id, id, level_id, product_id, variant_id, sku, location_code, quantity_before,
         quantity_after, reason, note, key_id, request_id, feed_id, feed_line, created_at)
       overriding system value
       select g.brand_id, g.id, g.level_id, g.product_id, g.variant_id, g.sku, g.location_code, g.quantity_before,
         g.quantity_after, g.reason, g.note, g.key_id, g.request_id, g.feed_id, g.feed_line, g.created_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, level_id bigint, product_id bigint,
         variant_id bigint, sku text, location_code text, quantity_before integer, quantity_after integer, reason text,
         note text, key_id text, request_id text, feed_id bigint, feed_line integer, created_at timestamptz)`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Adds to the rollup of each product what its levels contribute now and did not before. */
function moveRollups(tx: Transaction, levels: readonly ChangedLevel[]): void {
  const differences = new Map<string, RollupDifference>();
  for (const { lock, place, after } of levels) {
    const key = `${lock.brandId} ${place.productId}`;
    const sum = differences.get(key) ?? {
      ...{ brand_id: lock.brandId, product_id: place.productId, own_fresh_at: null, variant_fresh_at: null },
      ...noRollupDifference,
    };
    const fresh = place.variantId === null ? 'own_fresh_at' : 'variant_fresh_at';
    differences.set(key, {
      ...sum,
      ...addDifference(sum, rollupPart(place, place.level), rollupPart(place, after)),
      [fresh]: latest(sum[fresh], freshAtOf(place, after)),
    });
  }
  tx.queue(
    statement<never>(
      'move_product_stock',
      `update product_stock s
       set total_quantity = s.total_quantity + g.total_quantity, total_reserved = s.total_reserved + g.total_reserved,
         own_levels = s.own_levels + g.own_levels, own_counted_levels = s.own_counted_levels + g.own_counted_levels,
         own_available = s.own_available + g.own_available, own_fresh_at = greatest(s.own_fresh_at, g.own_fresh_at),
         variant_levels = s.variant_levels + g.variant_levels,
         variant_counted_levels = s.variant_counted_levels + g.variant_counted_levels,
         variant_available = s.variant_available + g.variant_available,
         variant_fresh_at = greatest(s.variant_fresh_at, g.variant_fresh_at)
       from json_to_recordset($1::json) as g (brand_id integer, product_id bigint, total_quantity bigint,
         total_reserved bigint, own_levels integer, own_counted_levels integer, own_available bigint,
         own_fresh_at timestamptz, variant_levels integer, variant_counted_levels integer, variant_available bigint,
         variant_fresh_at timestamptz)
       cross join lateral (
         select k.ctid as place from product_stock k where k.brand_id = g.brand_id and k.product_id = g.product_id offset 0
       ) k
       where s.ctid = k.place`,
      [JSON.stringify([...differences.values()])],
    ),
  );
}

type RollupDifference = typeof noRollupDifference & {
  readonly brand_id: number;
  readonly product_id: number;
  readonly own_fresh_at: string | null;
  readonly variant_fresh_at: string | null;
};

/** `infinity` is later than every instant; instants of one format compare as text. */
function latest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function byLock(levels: readonly ChangedLevel[]): Map<StockLock, ChangedLevel[]> {
  return Map.groupBy(levels, ({ lock }) => lock);
}
