import { statement } from '../postgres/statement.ts';
import type { CatalogTransaction, Transaction } from '../postgres/transaction.ts';

/**
 * The brand's catalog lock, held to the end of the transaction. Only `beginCatalogChange` returns one: a
 * function that takes it cannot be called without the lock.
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
      // Inserts a row that damage has removed, so that the doctor can repair its counters.
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

/** The catalog lock of a brand in a set, and the stamps of its changes. */
class CatalogStamps {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
  readonly brandId: number;
  /** The brand's default for a field that a request omits. */
  readonly currency: string;
  readonly defaultLanguage: string;
  /** The database's time. */
  readonly now: Date;
  #next: number;
  #last: Date | null = null;

  constructor(tx: Transaction, row: CatalogLockRow) {
    this.#tx = tx;
    this.brandId = row.brand_id;
    this.currency = row.currency;
    this.defaultLanguage = row.default_language;
    this.now = row.now;
    this.#next = row.first_at.getTime();
  }

  get tx(): Transaction {
    return this.#tx;
  }

  /** The last stamp that was given; null if none was. */
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

export type CatalogSetLock = CatalogStamps;

interface CatalogLockRow {
  readonly brand_id: number;
  readonly first_at: Date;
  readonly now: Date;
  readonly currency: string;
  readonly default_language: string;
}

const lockRows = (skipLocked: string) => `select c.brand_id, c.first_at, c.now, b.currency, b.default_language
  from json_array_elements_text($1::json) as i (id)
  cross join lateral (
    select c.brand_id, greatest(m.now, c.changed_at + interval '1 millisecond') as first_at, m.now
    from brand_catalogs c cross join (select now_ms() as now offset 0) m
    where c.brand_id = i.id::integer
    offset 0
    for no key update of c ${skipLocked}
  ) c
  cross join lateral (select b.currency, b.default_language from brands b where b.id = c.brand_id offset 0) b`;

/**
 * Takes the catalog locks of brands until the transaction ends, in the order of their ids, and returns them by brand.
 * `waits` false: omits the brands whose catalog another transaction has locked.
 */
export async function lockCatalogs(
  tx: Transaction,
  brandIds: readonly number[],
  { waits }: { readonly waits: boolean },
): Promise<ReadonlyMap<number, CatalogSetLock>> {
  const ordered = [...new Set(brandIds)].sort((a, b) => a - b);
  const values = [JSON.stringify(ordered)];
  const rows = await tx.run(
    waits
      ? statement<CatalogLockRow>('lock_catalogs', lockRows(''), values)
      : statement<CatalogLockRow>('try_lock_catalogs', lockRows('skip locked'), values),
  );
  return new Map(rows.map((row) => [row.brand_id, new CatalogStamps(tx, row)]));
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

/** The number of products of each kind that a change adds (or, if negative, removes). */
export interface ProductCountChange {
  readonly total?: number;
  readonly active?: number;
  readonly withVariants?: number;
  readonly activeWithVariants?: number;
}

/** Counts a change of the catalogs of brands, and their products, and keeps their last stamps; sent with the commit. */
export function noteCatalogChanges(
  tx: Transaction,
  changes: readonly { readonly lock: CatalogSetLock; readonly by: ProductCountChange }[],
): void {
  const rows = changes.flatMap(({ lock: { brandId, last }, by }) =>
    last === null
      ? []
      : [
          {
            ...{ brand_id: brandId, changed_at: last, total: by.total ?? 0, active: by.active ?? 0 },
            ...{ with_variants: by.withVariants ?? 0, active_with_variants: by.activeWithVariants ?? 0 },
          },
        ],
  );
  if (rows.length === 0) return;
  tx.queue(
    statement<never>(
      'note_catalog_changes',
      `update brand_catalogs c
       set version = c.version + 1, changed_at = g.changed_at, products_total = c.products_total + g.total,
         products_active = c.products_active + g.active,
         products_with_variants = c.products_with_variants + g.with_variants,
         products_active_with_variants = c.products_active_with_variants + g.active_with_variants
       from json_to_recordset($1::json) as g (brand_id integer, changed_at timestamptz, total integer, active integer,
         with_variants integer, active_with_variants integer)
       cross join lateral (select k.ctid as place from brand_catalogs k where k.brand_id = g.brand_id offset 0) k
       where c.ctid = k.place`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Notifies clients that poll products or axes that axes or their values have changed, and keeps the last stamps. */
export function noteAxesChanges(
  tx: Transaction,
  locks: ReadonlyMap<number, CatalogSetLock>,
  changed: readonly { readonly brandId: number }[],
): void {
  const brandIds = [...new Set(changed.map(({ brandId }) => brandId))];
  if (brandIds.length === 0) return;
  noteCatalogChanges(
    tx,
    brandIds.map((brandId) => ({ lock: locks.get(brandId) as CatalogSetLock, by: {} })),
  );
  tx.queue(
    statement<never>(
      'note_axes_changes',
      'update brand_catalogs set axes_version = axes_version + 1 where brand_id = any($1::integer[])',
      [brandIds],
    ),
  );
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
