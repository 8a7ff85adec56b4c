import type { BrandLock } from '../../api/operation.ts';
import { placesIn } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { brandsOf, type Locking, type OfBrand } from '../brand-set.ts';

/** A brand's stock lock, held to the end of the transaction. Only `lockStock` returns one. */
class HeldStock {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
  /** The levels that the transaction has changed so far. */
  readonly levelIds: number[] = [];
  readonly brandId: number;
  /** The number of this transaction among those that changed the brand's stock. */
  readonly version: number;
  /** The `updated_at` of every level that the transaction writes: later than that of every change committed before. */
  readonly stampedAt: Date;
  /** The database's time. */
  readonly now: Date;

  constructor(tx: Transaction, row: LockRow) {
    this.#tx = tx;
    this.brandId = row.brand_id;
    this.version = row.version + 1;
    this.stampedAt = row.stamped_at;
    this.now = row.now;
  }

  get tx(): Transaction {
    return this.#tx;
  }
}

export type StockLock = HeldStock;

interface LockRow {
  readonly brand_id: number;
  readonly version: number;
  readonly stamped_at: Date;
  readonly now: Date;
}

const lock = (skipLocked: string) => `select s.brand_id, s.version, s.stamped_at, s.now
  from json_array_elements_text($1::json) as b (id)
  cross join lateral (
    select s.brand_id, s.version, greatest(m.now, s.changed_at + interval '1 millisecond') as stamped_at, m.now
    from brand_stocks s cross join (select now_ms() as now offset 0) m
    where s.brand_id = b.id::integer
    offset 0
    for no key update of s ${skipLocked}
  ) s`;

/**
 * Locks the stock of the brands of requests until the transaction ends, by id, and returns the locks by brand. Every write of a
 * level, or of what makes one count, holds this lock, so that all that is read after it is current and `updated_at` of levels
 * follows the order of commits [D217]. Lock order: catalog, stock.
 */
export async function lockStocks(
  tx: Transaction,
  requests: readonly OfBrand[],
  { waits }: Locking,
): Promise<ReadonlyMap<number, StockLock>> {
  const values = [JSON.stringify(brandsOf(requests))];
  const rows = await tx.run(
    waits
      ? statement<LockRow>('lock_brand_stocks', lock(''), values)
      : statement<LockRow>('try_lock_brand_stocks', lock('skip locked'), values),
  );
  return new Map(rows.map((row) => [row.brand_id, new HeldStock(tx, row)]));
}

/** The lock of the writes of stock and its locations. */
export const stockLock: BrandLock<StockLock> = {
  name: 'stock',
  take: lockStock,
  finish: (stock) => {
    if (stock.levelIds.length > 0) noteStockChange(stock, stock.levelIds);
  },
};

export async function lockStock(tx: Transaction, brandId: number): Promise<StockLock> {
  const lockOfBrand = (await lockStocks(tx, [{ brandId }], { waits: true })).get(brandId);
  if (lockOfBrand === undefined) throw new Error(`brand ${brandId} has no row in brand_stocks`);
  return lockOfBrand;
}

/**
 * Records a change of stock and the levels that it changed [catalog-120]. Every transaction that changes stock calls this once,
 * at its end; sent with the commit. One without changed levels is recorded too: a place in the changes is recognised by when
 * its version was written [D222].
 */
export function noteStockChanges(
  tx: Transaction,
  changes: readonly { readonly lock: StockLock; readonly levelIds: readonly number[] }[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(({ lock: { brandId, version, stampedAt }, levelIds }) => {
    return { brand_id: brandId, version, stamped_at: stampedAt, level_ids: levelIds };
  });
  tx.queue(
    statement<never>(
      'note_stock_changes',
      `with given as materialized (
         select g.* from json_to_recordset($1::json) as g (brand_id integer, version bigint, stamped_at timestamptz,
           level_ids bigint[])
       ), counted as (
         update brand_stocks s set version = g.version, changed_at = g.stamped_at
         from given g
         ${placesIn({ table: 'brand_stocks', key: ['brand_id'] })}
         where s.ctid = k.place
       )
       insert into stock_changes (brand_id, version, changed_at, level_ids)
       select g.brand_id, g.version, g.stamped_at, g.level_ids from given g`,
      [JSON.stringify(rows)],
    ),
  );
}

export function noteStockChange(held: StockLock, levelIds: readonly number[]): void {
  noteStockChanges(held.tx, [{ lock: held, levelIds }]);
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
