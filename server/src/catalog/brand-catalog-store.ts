import type { BrandLock } from '../api/operation.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/**
 * The brand's catalog lock, held to the end of the transaction, with the stamps of changes. Only `lockCatalog` returns one.
 */
class HeldCatalog {
  readonly tx: Transaction;
  readonly brandId: number;
  /** The brand's default for a field that a request omits. */
  readonly currency: string;
  readonly defaultLanguage: string;
  /** The database's time. */
  readonly now: Date;
  /** The sums that the changes so far add to the brand's counts. */
  readonly added: Record<keyof ProductCounts, number> = {
    total: 0,
    active: 0,
    withVariants: 0,
    activeWithVariants: 0,
  };
  areAxesChanged = false;
  /** The private fields make the type nominal: no object literal satisfies it. */
  #next: number;
  #last: Date | null = null;

  constructor(tx: Transaction, row: CatalogLockRow) {
    this.tx = tx;
    this.brandId = row.brand_id;
    this.currency = row.currency;
    this.defaultLanguage = row.default_language;
    this.now = row.now;
    this.#next = row.first_at.getTime();
  }

  get last(): Date | null {
    return this.#last;
  }

  /** Returns the stamp of the next change: later than those of all changes committed before [catalog-26] [D9]. */
  next(): Date {
    this.#last = new Date(this.#next);
    this.#next += 1;
    return this.#last;
  }
}

export type CatalogLock = HeldCatalog;

interface CatalogLockRow {
  readonly brand_id: number;
  readonly first_at: Date;
  readonly now: Date;
  readonly currency: string;
  readonly default_language: string;
}

/** The number of products of each kind that a change adds (or, if negative, removes). */
interface ProductCounts {
  readonly total?: number;
  readonly active?: number;
  readonly withVariants?: number;
  readonly activeWithVariants?: number;
}

/** The lock of the writes of products, variants and axes. */
export const catalogLock: BrandLock<CatalogLock> = {
  name: 'catalog',
  take: lockCatalog,
  finish: writeCatalogChange,
};

/**
 * Locks the catalog of a brand until the transaction ends. Every write of a product, variant or axis holds this lock, so that all
 * that is read after it is current [D217]. Lock order: catalog, stock. Call `writeCatalogChange` at the end.
 */
export async function lockCatalog(tx: Transaction, brandId: number): Promise<CatalogLock> {
  const [row] = await tx.run(
    statement<CatalogLockRow>(
      'lock_catalog',
      `select c.brand_id, greatest(m.now, c.changed_at + interval '1 millisecond') as first_at, m.now, b.currency,
         b.default_language
       from brand_catalogs c
       join brands b on b.id = c.brand_id
       cross join (select now_ms() as now offset 0) m
       where c.brand_id = $1
       for no key update of c`,
      [brandId],
    ),
  );
  if (row === undefined) throw new Error(`brand ${brandId} has no row in brand_catalogs`);
  return new HeldCatalog(tx, row);
}

/** Notes what a change adds to the brand's counts of products. That there was a change, its stamp says (`next`). */
export function noteProductCounts({ added }: CatalogLock, counts: ProductCounts): void {
  for (const [name, count] of Object.entries(counts)) added[name as keyof ProductCounts] += count;
}

/** Notes that an axis or a value was written: products show them, so clients that poll products or axes are notified. */
export function noteAxesChange(catalog: CatalogLock): void {
  catalog.areAxesChanged = true;
}

/** Writes the brand's version, counts and last stamp, if anything was changed. Sent with the commit; call it once. */
export function writeCatalogChange({ tx, brandId, last, added, areAxesChanged }: CatalogLock): void {
  if (last === null && !areAxesChanged) return;
  tx.queue(
    statement<never>(
      'write_catalog_change',
      `update brand_catalogs
       set version = version + $2, changed_at = coalesce($3, changed_at), axes_version = axes_version + $4,
         products_total = products_total + $5, products_active = products_active + $6,
         products_with_variants = products_with_variants + $7,
         products_active_with_variants = products_active_with_variants + $8
       where brand_id = $1`,
      [
        brandId,
        Number(last !== null),
        last,
        Number(areAxesChanged),
        added.total,
        added.active,
        added.withVariants,
        added.activeWithVariants,
      ],
    ),
  );
}
