import type { BrandLock } from '../api/brand-lock.ts';
import type { Queryable } from '../postgres/database.ts';
import { briefLockWaits, statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { writeRows, writer } from '../postgres/write-rows.ts';

/** The lock of a brand's catalog until the transaction ends, with the stamps of changes. Only this store makes one. */
class CatalogLock {
  readonly tx: Transaction;
  readonly brandId: number;
  /** The brand's default for a field that a request omits. */
  readonly currency: string;
  readonly defaultLanguage: string;
  /** The database's time, not before the last change that was committed [D60]. */
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
    this.brandId = row.brandId;
    this.currency = row.currency;
    this.defaultLanguage = row.defaultLanguage;
    this.now = row.now;
    this.#next = Math.max(row.now.getTime(), row.changedAt.getTime() + 1);
  }

  get last(): Date | null {
    return this.#last;
  }

  /** Returns the stamp of the next change: later than those of all changes committed before [catalog-26] [D8]. */
  next(): Date {
    this.#last = new Date(this.#next);
    this.#next += 1;
    return this.#last;
  }
}

export type { CatalogLock };

interface CatalogLockRow {
  readonly brandId: number;
  readonly changedAt: Date;
  readonly now: Date;
  readonly currency: string;
  readonly defaultLanguage: string;
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
  takeFree: async (tx, brandIds) => {
    const rows = await tx.run(
      statement<CatalogLockRow>('lock_free_catalogs', lockCatalogs(`, ${briefLockWaits}`, 'skip locked'), [
        brandIds,
      ]),
    );
    return new Map(rows.map((row) => [row.brandId, new CatalogLock(tx, row)]));
  },
  finish: writeCatalogChanges,
};

/** `now` is a column of the statement itself: PostgreSQL computes it again for a row that changed during the wait [D60]. */
const lockCatalogs = (more = '', wait = '') => `
  select c.brand_id as "brandId", c.changed_at as "changedAt", now_ms() as now, b.currency,
    b.default_language as "defaultLanguage"${more}
  from brand_catalogs c
  join brands b on b.id = c.brand_id
  where c.brand_id = any($1::integer[])
  order by c.brand_id
  for no key update of c ${wait}`;

/**
 * Locks the catalog of a brand until the transaction ends. Every write of a product, variant or axis holds this lock, so that all
 * that is read after it is current [D217]. Lock order: catalog, stock. Call `writeCatalogChanges` at the end.
 */
export async function lockCatalog(tx: Transaction, brandId: number): Promise<CatalogLock> {
  const [row] = await tx.run(statement<CatalogLockRow>('lock_catalog', lockCatalogs(), [[brandId]]));
  if (row === undefined) throw new Error(`brand ${brandId} has no row in brand_catalogs`);
  return new CatalogLock(tx, row);
}

/** Notes what a change adds to the brand's counts of products. `next()` records that there was a change. */
export function noteProductCounts({ added }: CatalogLock, counts: ProductCounts): void {
  for (const [name, count] of Object.entries(counts)) added[name as keyof ProductCounts] += count;
}

/** Notes that an axis or a value was written: products show them, so clients that poll products or axes are notified. */
export function noteAxesChange(catalog: CatalogLock): void {
  catalog.areAxesChanged = true;
}

const catalogChanges = writer<CatalogLock>(
  'catalogs',
  {
    brand_id: ['integer', ({ brandId }) => brandId],
    versions: ['integer', ({ last }) => Number(last !== null)],
    changed_at: ['timestamptz', ({ last }) => last],
    axes_versions: ['integer', ({ areAxesChanged }) => Number(areAxesChanged)],
    total: ['integer', ({ added }) => added.total],
    active: ['integer', ({ added }) => added.active],
    with_variants: ['integer', ({ added }) => added.withVariants],
    active_with_variants: ['integer', ({ added }) => added.activeWithVariants],
  },
  (g) => `update brand_catalogs c
     set version = c.version + g.versions, changed_at = coalesce(g.changed_at, c.changed_at),
       axes_version = c.axes_version + g.axes_versions, products_total = c.products_total + g.total,
       products_active = c.products_active + g.active,
       products_with_variants = c.products_with_variants + g.with_variants,
       products_active_with_variants = c.products_active_with_variants + g.active_with_variants
     from ${g}
     where c.brand_id = g.brand_id`,
);

/** Writes the version, counts and last stamp of each brand with changes. Sent with the commit; call it once in a transaction. */
export function writeCatalogChanges(catalogs: readonly CatalogLock[]): void {
  const changed = catalogs.filter(({ last, areAxesChanged }) => last !== null || areAxesChanged);
  const [first] = changed;
  if (first !== undefined) writeRows(first.tx, [catalogChanges(changed)]);
}

/**
 * Columns that identify the catalog whose counters a version reads [D34]: a restored or copied database reaches the same
 * numbers through other changes. The start of the server differs after a failover or the restore of a base backup, the path of
 * a table's file in another database and after a rewrite. Transaction ids in the versions cover a restore that replaces rows.
 */
export const catalogIncarnation = `pg_postmaster_start_time(), pg_relation_filepath('brand_catalogs')`;

/**
 * The version of the brand's set of products and all its orders: while it is unchanged, each page begins at the same row. Reads
 * `brand_catalogs c`, which may be missing.
 */
export const productOrderVersion = `concat_ws('/', coalesce(c.version, 0), c.changed_at, ${catalogIncarnation})`;

/**
 * The version of a brand's lists of products and of levels, for any filter: products, stock and the settings that determine a
 * status. Reads the brand `b` and `brand_catalogs c`, which may be missing. Select it in the statement that reads the list, or
 * before. The transaction of the stock version (xmin) distinguishes versions that are equal after a restore.
 */
export const productListVersion = `concat_ws('/', ${productOrderVersion},
    (select concat_ws('-', s.version, s.xmin) from brand_stocks s where s.brand_id = b.id),
    b.low_stock_threshold, coalesce(b.stale_after_hours, -1))`;

/** Returns the version of the brand's lists of products and levels; null when there is no such brand. */
export async function findProductListVersion(database: Queryable, brandId: number): Promise<string | null> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_product_list_version',
      `select ${productListVersion} as version
       from brands b
       left join brand_catalogs c on c.brand_id = b.id
       where b.id = $1`,
      [brandId],
    ),
  );
  return rows[0]?.version ?? null;
}

/**
 * The version of all that the product `p` shows. Reads `p`, its `product_stock s` and its brand `b`. Select it in the statement
 * that reads the product, or before. Fields, selection and variants change `updated_at`, stock its xmin, labels the axes
 * version.
 */
export const productVersion = `concat_ws('/', p.updated_at, s.xmin,
    (select c.axes_version from brand_catalogs c where c.brand_id = p.brand_id),
    b.low_stock_threshold, coalesce(b.stale_after_hours, -1), ${catalogIncarnation})`;

/** Returns the version of one product of the brand; null when there is no such product. */
export async function findProductVersion(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<string | null> {
  const rows = await database.run(
    statement<{ version: string }>(
      'find_product_version',
      `select ${productVersion} as version
       from products p
       join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0]?.version ?? null;
}
