import { placesIn } from '../postgres/row-set.ts';
import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';
import {
  type CatalogLock,
  type CatalogLockRow,
  HeldCatalog,
  type ProductCounts,
} from './brand-catalog-store.ts';
import { brandsOf, type Locking, type OfBrand } from './brand-set.ts';

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

/** Locks the catalogs of the brands of requests until the transaction ends, by id, and returns the locks by brand. */
export async function lockCatalogs(
  tx: Transaction,
  requests: readonly OfBrand[],
  { waits }: Locking,
): Promise<ReadonlyMap<number, CatalogLock>> {
  const values = [JSON.stringify(brandsOf(requests))];
  const rows = await tx.run(
    waits
      ? statement<CatalogLockRow>('lock_catalogs', lockRows(''), values)
      : statement<CatalogLockRow>('try_lock_catalogs', lockRows('skip locked'), values),
  );
  return new Map(rows.map((row) => [row.brand_id, new HeldCatalog(tx, row)]));
}

/** Counts changes of the catalogs of brands, and of their products, and keeps the last stamps; sent with the commit. */
export function noteCatalogChanges(
  tx: Transaction,
  locks: ReadonlyMap<number, CatalogLock>,
  changes: readonly (OfBrand & ProductCounts)[],
): void {
  const byBrand = Map.groupBy(changes, ({ brandId }) => brandId);
  const rows = [...byBrand].flatMap(([brandId, ofBrand]) => {
    const { last } = locks.get(brandId) as CatalogLock;
    if (last === null) return [];
    const sumOf = (count: keyof ProductCounts) =>
      ofBrand.reduce((sum, change) => sum + (change[count] ?? 0), 0);
    return [
      {
        brand_id: brandId,
        changed_at: last,
        total: sumOf('total'),
        active: sumOf('active'),
        with_variants: sumOf('withVariants'),
        active_with_variants: sumOf('activeWithVariants'),
      },
    ];
  });
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
       ${placesIn({ table: 'brand_catalogs', key: ['brand_id'] })}
       where c.ctid = k.place`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Notifies clients that poll products or axes that axes or their values have changed, and keeps the last stamps. */
export function noteAxesChanges(
  tx: Transaction,
  locks: ReadonlyMap<number, CatalogLock>,
  changed: readonly OfBrand[],
): void {
  const brandIds = brandsOf(changed);
  if (brandIds.length === 0) return;
  noteCatalogChanges(tx, locks, changed);
  tx.queue(
    statement<never>(
      'note_axes_changes',
      'update brand_catalogs set axes_version = axes_version + 1 where brand_id = any($1::integer[])',
      [brandIds],
    ),
  );
}
