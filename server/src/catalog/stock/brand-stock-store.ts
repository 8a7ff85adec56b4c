import { briefLockWaits, statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type RowWrite, update, writeRows, writer } from '../../postgres/write-rows.ts';
import { StockChanges } from './stock-changes.ts';

/** A brand's stock lock, held to the end of the transaction. Only this store makes one. */
class StockLock {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
  readonly brandId: number;
  /** The number of this transaction among those that changed the brand's stock. */
  readonly version: number;
  /** The `updated_at` of every level that the transaction writes: later than that of every change committed before. */
  readonly stampedAt: Date;
  /** The database's time, not before the last change that was committed [D60]. */
  readonly now: Date;
  /** The changes that were decided under the lock; `writeStockChanges` writes them. */
  readonly changes: StockChanges;
  /** The id of the default location, if what was decided needs it and the brand has none yet. */
  newDefaultLocation: number | null = null;

  constructor(tx: Transaction, row: LockRow) {
    this.#tx = tx;
    this.brandId = row.brandId;
    this.version = row.version + 1;
    this.stampedAt = new Date(Math.max(row.now.getTime(), row.changedAt.getTime() + 1));
    this.now = row.now;
    this.changes = new StockChanges(this);
  }

  get tx(): Transaction {
    return this.#tx;
  }
}

export type { StockLock };

interface LockRow {
  readonly brandId: number;
  readonly version: number;
  readonly changedAt: Date;
  readonly now: Date;
}

/**
 * Locks the stock of a brand until the transaction ends. Every write of a level, or of what makes one count, holds this lock, so
 * that all that is read after it is current and `updated_at` of levels follows the order of commits [D217]. Lock order: catalog,
 * stock.
 */
export async function lockStock(tx: Transaction, brandId: number): Promise<StockLock> {
  const [row] = await tx.run(statement<LockRow>('lock_stock', lockStocks(), [[brandId]]));
  if (row === undefined) throw new Error(`brand ${brandId} has no row in brand_stocks`);
  return new StockLock(tx, row);
}

/** Like `lockStock`, for the brands whose stock no other transaction has locked; see `BrandLock`. */
export async function lockFreeStocks(
  tx: Transaction,
  brandIds: readonly number[],
): Promise<ReadonlyMap<number, StockLock>> {
  const rows = await tx.run(
    statement<LockRow>('lock_free_stocks', lockStocks(`, ${briefLockWaits}`, 'skip locked'), [brandIds]),
  );
  return new Map(rows.map((row) => [row.brandId, new StockLock(tx, row)]));
}

/** `now` is a column of the statement itself: PostgreSQL computes it again for a row that changed during the wait [D60]. */
const lockStocks = (more = '', wait = '') => `
  select s.brand_id as "brandId", s.version, s.changed_at as "changedAt", now_ms() as now${more}
  from brand_stocks s
  where s.brand_id = any($1::integer[])
  order by s.brand_id
  for no key update of s ${wait}`;

/** The levels of a brand that a transaction has changed. */
export interface StockChange {
  readonly lock: StockLock;
  readonly levelIds: readonly number[];
}

const version = {
  brand_id: ['integer', ({ lock }: StockChange) => lock.brandId],
  version: ['bigint', ({ lock }: StockChange) => lock.version],
  changed_at: ['timestamptz', ({ lock }: StockChange) => lock.stampedAt],
} as const;

const versions = update<StockChange>('stocks', { table: 'brand_stocks', key: ['brand_id'] }, version);

const changedLevels = writer<StockChange>(
  'changes',
  { ...version, level_ids: ['text', ({ levelIds }) => `{${levelIds}}`] },
  (g) => `insert into stock_changes (brand_id, version, changed_at, level_ids)
     select g.brand_id, g.version, g.changed_at, g.level_ids::bigint[] from ${g}`,
);

/**
 * Records a change of stock and the levels that it changed [catalog-120]. Every transaction that changes stock does this once,
 * at its end; sent with the commit. One without changed levels is recorded too: a client's position in the changes is
 * recognised by when its version was written [D222].
 */
export function recordStockChange(lock: StockLock, levelIds: readonly number[]): void {
  writeRows(lock.tx, stockChangeWrites([{ lock, levelIds }]));
}

/** Returns what `recordStockChange` writes, of several brands. */
export function stockChangeWrites(changes: readonly StockChange[]): readonly RowWrite[] {
  return [versions(changes), changedLevels(changes)];
}

/**
 * Drops up to `limit` old records of changed levels, the oldest first, and returns their number; less: none are left
 * [catalog-121]. Waits for a transaction that drops the same: were later records of a brand dropped first, a client at the
 * earlier ones would miss them.
 */
export async function dropStockChanges(tx: Transaction, before: Date, limit: number): Promise<number> {
  const rows = await tx.run(
    statement<{ count: number }>(
      'drop_stock_changes',
      `with old as (
         select ctid from stock_changes where changed_at < $1 order by changed_at limit $2 for update
       ), gone as (
         delete from stock_changes c using old where c.ctid = old.ctid returning 1
       )
       select count(*) as count from gone`,
      [before, limit],
    ),
  );
  return rows[0]?.count ?? 0;
}
