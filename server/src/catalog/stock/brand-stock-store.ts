import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';

/**
 * A brand's stock lock, held to the end of the transaction. Only `lockStocks` and `lockStock` return one: a function
 * that takes it cannot be called without the lock.
 */
class HeldStock {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
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
 * Locks the stock of brands until the transaction ends, in the order of their ids, and returns the locks by brand. Every
 * write of a level, or of what makes one count, holds this lock, so that all that is read after it is current and
 * `updated_at` of levels follows the order of commits [D217]. Lock order: catalog, stock.
 *
 * `waits` false: omits the brands that another transaction has locked.
 */
export async function lockStocks(
  tx: Transaction,
  brandIds: readonly number[],
  { waits }: { readonly waits: boolean },
): Promise<ReadonlyMap<number, StockLock>> {
  const ordered = [...new Set(brandIds)].sort((a, b) => a - b);
  const values = [JSON.stringify(ordered)];
  const rows = await tx.run(
    waits
      ? statement<LockRow>('lock_brand_stocks', lock(''), values)
      : statement<LockRow>('try_lock_brand_stocks', lock('skip locked'), values),
  );
  return new Map(rows.map((row) => [row.brand_id, new HeldStock(tx, row)]));
}

/** Locks the stock of one brand like `lockStocks`, and waits. */
export async function lockStock(tx: Transaction, brandId: number): Promise<StockLock> {
  const lockOfBrand = (await lockStocks(tx, [brandId], { waits: true })).get(brandId);
  if (lockOfBrand === undefined) throw new Error(`brand ${brandId} has no row in brand_stocks`);
  return lockOfBrand;
}

/**
 * Counts the transaction among the changes of the stock of brands, and records the levels that it changed
 * [catalog-120]. Every transaction that changes stock calls this once, at its end; sent with the commit. A transaction without
 * changed levels is recorded too: a place in the changes is recognised by when its version was written [D222].
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
         cross join lateral (select k.ctid as place from brand_stocks k where k.brand_id = g.brand_id offset 0) k
         where s.ctid = k.place
       )
       insert into stock_changes (brand_id, version, changed_at, level_ids)
       select g.brand_id, g.version, g.stamped_at, g.level_ids from given g`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Counts a change of one brand's stock like `noteStockChanges`. */
export function noteStockChange(held: StockLock, levelIds: readonly number[]): void {
  noteStockChanges(held.tx, [{ lock: held, levelIds }]);
}
