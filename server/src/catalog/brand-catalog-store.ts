import { statement } from '../postgres/statement.ts';
import type { CatalogTransaction, Transaction } from '../postgres/transaction.ts';

/**
 * The brand's catalog lock, held to the end of the transaction. Only `lockCatalog` and `beginCatalogChange` return one:
 * a function that takes it cannot be called without the lock.
 */
class HeldCatalog {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: CatalogTransaction;

  constructor(tx: CatalogTransaction) {
    this.#tx = tx;
  }

  get tx(): CatalogTransaction {
    return this.#tx;
  }

  get brandId(): number {
    return this.#tx.catalogOf;
  }
}

/** The lock, with the stamp and the defaults for a change of products. */
class CatalogChange extends HeldCatalog {
  /** The `updated_at` of every row that the change touches; later than that of every change committed before it. */
  readonly stampedAt: Date;
  /** The brand's default for a field that a request omits. */
  readonly currency: string;
  readonly defaultLanguage: string;

  constructor(tx: CatalogTransaction, row: CatalogChangeRow) {
    super(tx);
    this.stampedAt = row.changed_at;
    this.currency = row.currency;
    this.defaultLanguage = row.default_language;
  }
}

export type CatalogLock = HeldCatalog;
export type CatalogWrite = CatalogChange;

interface CatalogChangeRow {
  changed_at: Date;
  currency: string;
  default_language: string;
}

/**
 * Takes the brand's catalog lock until the transaction ends, and stamps the change. Every change of a product calls
 * this first (lock order: brand, product, variants by id, levels by id). Because the lock is held until the commit and
 * each stamp is later than the one before, `updated_at` follows the order of commits: a poller on `updated_since`
 * misses nothing [catalog-26] [D9]. The stamp is taken after the wait for the lock.
 */
export async function beginCatalogChange(tx: CatalogTransaction): Promise<CatalogWrite> {
  requireTurn(tx);
  const rows = await tx.run(
    statement<CatalogChangeRow>(
      'begin_catalog_change',
      `insert into brand_catalogs as c (brand_id, version, changed_at)
       values ($1, 1, now_ms())
       on conflict (brand_id) do update
       set version = c.version + 1,
           changed_at = greatest(now_ms(), c.changed_at + interval '1 millisecond')
       returning changed_at,
         (select b.currency from brands b where b.id = $1) as currency,
         (select b.default_language from brands b where b.id = $1) as default_language`,
      [tx.catalogOf],
    ),
  );
  return new CatalogChange(tx, rows[0] as CatalogChangeRow);
}

/**
 * Takes the brand's catalog lock for a change that stamps no product: a change of an axis or of an axis value, which
 * come after it in the lock order.
 */
export async function lockCatalog(tx: CatalogTransaction): Promise<CatalogLock> {
  requireTurn(tx);
  await tx.run(
    statement<never>(
      'lock_catalog',
      'select brand_id from brand_catalogs where brand_id = $1 for no key update',
      [tx.catalogOf],
    ),
  );
  return new HeldCatalog(tx);
}

/** Returns the catalog transaction of a brand that `tx` creates: no other transaction can see the catalog yet. */
export function withNewCatalog(tx: Transaction, brandId: number): CatalogTransaction {
  return Object.assign(tx, { catalogOf: brandId });
}

/**
 * The turn was waited for without a connection; waiting for the lock here could occupy the connections of all brands.
 */
function requireTurn({ catalogOf }: CatalogTransaction): void {
  if (catalogOf === undefined) throw new Error('the transaction has no turn to change a catalog');
}

/** Notifies clients that poll products or axes that an axis or an axis value has changed. */
export async function noteAxesChange({ tx, brandId }: CatalogLock): Promise<void> {
  await tx.run(
    statement<never>(
      'note_axes_change',
      'update brand_catalogs set axes_version = axes_version + 1 where brand_id = $1',
      [brandId],
    ),
  );
}

/** The number of products of each kind that a change adds (or, if negative, removes). */
export interface ProductCountChange {
  readonly total?: number;
  readonly active?: number;
  readonly withVariants?: number;
  readonly activeWithVariants?: number;
}

/** Updates the counters from which list totals are read. */
export function moveProductCounters({ tx, brandId }: CatalogLock, by: ProductCountChange): void {
  tx.queue(
    statement<never>(
      'move_product_counters',
      `update brand_catalogs
       set products_total = products_total + $2,
           products_active = products_active + $3,
           products_with_variants = products_with_variants + $4,
           products_active_with_variants = products_active_with_variants + $5
       where brand_id = $1`,
      [brandId, by.total ?? 0, by.active ?? 0, by.withVariants ?? 0, by.activeWithVariants ?? 0],
    ),
  );
}
