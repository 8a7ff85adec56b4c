import { sourceTimeOf, storedSourceTime } from '../../lib/source-time.ts';
import { insertRows, rowSet, updateRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { noteStockChange, refreshProductStock, type StockLock } from './brand-stock-store.ts';
import {
  addDifference,
  decideLevel,
  freshAtOf,
  isWritten,
  type LevelChange,
  type LevelDecision,
  type LevelState,
  noRollupDifference,
  type RollupPart,
  rollupPart,
  type WhereCounted,
} from './level-decision.ts';

/** Where stock is kept, as the transaction has read it under the brand's stock lock. */
export interface TargetLevel extends WhereCounted {
  readonly productId: number;
  readonly sku: string;
  readonly locationId: number;
  readonly locationCode: string;
  /** The id of the level; if there is none, the id that it gets. */
  readonly levelId: number;
  readonly level: LevelState | null;
  /** True if the product has its row of `product_stock`; only damage removes it. */
  readonly hasRollup: boolean;
}

/** The line of a feed that is the source of a movement, recorded with it [D119]. */
interface MovementOrigin {
  readonly note: string;
  readonly feedId: number;
  readonly feedLine: number;
}

/** A level that was changed, before and after all changes of the transaction. */
interface ChangedLevel {
  readonly lock: StockLock;
  readonly target: TargetLevel;
  readonly after: LevelState;
  /**
   * True if the rollup has to be recomputed: it is missing, or a feed has written a level that was set by hand, which may have
   * been the last one that kept the product from becoming stale.
   */
  readonly needsRefresh: boolean;
}

interface NewMovement {
  readonly id: number;
  readonly lock: StockLock;
  readonly target: TargetLevel;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly origin: MovementOrigin;
}

/** A decided change, with the level as it was before. */
type DecidedChange = LevelDecision & {
  readonly before: LevelState | null;
  /** True if the quantity changes, and so the ledger gets an entry. */
  readonly isMoved: boolean;
};

/** Changes of a feed's chunk, decided in memory one after the other. Nothing is written before `writeStockChanges`. */
export class StockChanges {
  readonly lock: StockLock;
  readonly #levels = new Map<string, ChangedLevel>();
  readonly movements: NewMovement[] = [];

  constructor(lock: StockLock) {
    this.lock = lock;
  }

  get levels(): readonly ChangedLevel[] {
    return [...this.#levels.values()];
  }

  /** A refusal (`conflict`, `stale`) leaves no trace. */
  decide(
    target: TargetLevel,
    change: LevelChange & { readonly movementId: number; readonly origin: MovementOrigin },
  ): DecidedChange {
    const { lock } = this;
    const key = `${target.productId} ${target.variantId} ${target.locationCode}`;
    const earlier = this.#levels.get(key);
    const before = earlier === undefined ? target.level : earlier.after;
    const decision = decideLevel(before, change, sourceTimeOf(lock.now));
    if (!isWritten(decision)) return { ...decision, before, isMoved: false };
    const { after } = decision;
    // The second change of a new level belongs to the level that the first one creates.
    const own = earlier?.target ?? target;
    const needsRefresh = !target.hasRollup || (after.isFromFeed && target.level?.isFromFeed === false);
    this.#levels.set(key, { lock, target: own, after, needsRefresh });
    const quantityBefore = before?.quantity ?? 0;
    const isMoved = quantityBefore !== after.quantity;
    if (isMoved)
      this.movements.push({
        id: change.movementId,
        lock,
        target: own,
        quantityBefore,
        quantityAfter: after.quantity,
        origin: change.origin,
      });
    return { ...decision, before, isMoved };
  }
}

/** Writes what was decided with one statement for each table. Sent with the commit. */
export function writeStockChanges({ lock, levels, movements }: StockChanges): void {
  if (levels.length === 0) return;
  const { tx } = lock;
  const existing = levels.filter(({ target }) => target.level !== null);
  const created = levels.filter(({ target }) => target.level === null);
  updateRows(tx, { table: 'stock_levels', key: ['brand_id', 'id'] }, changedLevels, existing);
  insertRows(tx, 'stock_levels', newLevels, created);
  insertRows(tx, 'stock_movements', newMovements, movements);
  moveRollups(tx, levels);
  const refreshed = levels.filter(({ needsRefresh }) => needsRefresh).map(({ target }) => target.productId);
  if (refreshed.length > 0) refreshProductStock(lock, [...new Set(refreshed)]);
  noteStockChange(
    lock,
    levels.map(({ target }) => target.levelId),
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
  id: ['bigint', ({ target }) => target.levelId],
  ...figures,
});

const newLevels = rowSet<ChangedLevel>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ target }) => target.levelId],
  product_id: ['bigint', ({ target }) => target.productId],
  variant_id: ['bigint', ({ target }) => target.variantId],
  location_id: ['bigint', ({ target }) => target.locationId],
  sku: ['text', ({ target }) => target.sku],
  location_code: ['text', ({ target }) => target.locationCode],
  ...figures,
});

const newMovements = rowSet<NewMovement>({
  brand_id: ['integer', ({ lock }) => lock.brandId],
  id: ['bigint', ({ id }) => id],
  level_id: ['bigint', ({ target }) => target.levelId],
  product_id: ['bigint', ({ target }) => target.productId],
  variant_id: ['bigint', ({ target }) => target.variantId],
  sku: ['text', ({ target }) => target.sku],
  location_code: ['text', ({ target }) => target.locationCode],
  quantity_before: ['integer', ({ quantityBefore }) => quantityBefore],
  quantity_after: ['integer', ({ quantityAfter }) => quantityAfter],
  reason: ['text', () => 'feed'],
  note: ['text', ({ origin }) => origin.note],
  feed_id: ['bigint', ({ origin }) => origin.feedId],
  feed_line: ['integer', ({ origin }) => origin.feedLine],
  created_at: ['timestamptz', ({ lock }) => lock.stampedAt],
});

interface RollupDifference {
  readonly brandId: number;
  readonly productId: number;
  readonly sums: RollupPart;
  readonly ownFreshAt: number | null;
  readonly variantFreshAt: number | null;
}

const rollupDifferences = rowSet<RollupDifference>({
  brand_id: ['integer', ({ brandId }) => brandId],
  product_id: ['bigint', ({ productId }) => productId],
  total_quantity: ['bigint', ({ sums }) => sums.total_quantity],
  total_reserved: ['bigint', ({ sums }) => sums.total_reserved],
  own_levels: ['integer', ({ sums }) => sums.own_levels],
  own_counted_levels: ['integer', ({ sums }) => sums.own_counted_levels],
  own_available: ['bigint', ({ sums }) => sums.own_available],
  own_fresh_at: ['timestamptz', ({ ownFreshAt }) => freshAtText(ownFreshAt)],
  variant_levels: ['integer', ({ sums }) => sums.variant_levels],
  variant_counted_levels: ['integer', ({ sums }) => sums.variant_counted_levels],
  variant_available: ['bigint', ({ sums }) => sums.variant_available],
  variant_fresh_at: ['timestamptz', ({ variantFreshAt }) => freshAtText(variantFreshAt)],
});

/** Adds to the rollup of each product what its levels contribute now and did not before; sent with the next statement. */
function moveRollups(tx: Transaction, levels: readonly ChangedLevel[]): void {
  const differences = new Map<string, RollupDifference>();
  for (const { lock, target, after } of levels) {
    const { brandId } = lock;
    const { productId } = target;
    const key = `${brandId} ${productId}`;
    const known = differences.get(key);
    const { sums, ownFreshAt, variantFreshAt } = known ?? noDifference;
    const freshAt = freshAtOf(target, after);
    const isOwn = target.variantId === null;
    differences.set(key, {
      brandId,
      productId,
      sums: addDifference(sums, rollupPart(target, target.level), rollupPart(target, after)),
      ownFreshAt: isOwn ? latest(ownFreshAt, freshAt) : ownFreshAt,
      variantFreshAt: isOwn ? variantFreshAt : latest(variantFreshAt, freshAt),
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
       from ${rollupDifferences.sql}
       cross join lateral (
         select k.ctid as place from product_stock k where k.brand_id = g.brand_id and k.product_id = g.product_id
       ) k
       where s.ctid = k.place`,
      rollupDifferences.values([...differences.values()]),
    ),
  );
}

const noDifference = { sums: noRollupDifference, ownFreshAt: null, variantFreshAt: null };

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function freshAtText(freshAt: number | null): string | null {
  if (freshAt === null) return null;
  return freshAt === Number.POSITIVE_INFINITY ? 'infinity' : new Date(freshAt).toISOString();
}
