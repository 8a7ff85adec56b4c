import { isClaimed } from '../../access/idempotency/shared-keys-store.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Product, ProductFields } from './product.ts';
import { type ProductRow, productColumns, productFromRow } from './product-store.ts';

/** A product that a request of a shared transaction names. */
export interface ProductToLock {
  /** The position of the request. */
  readonly position: number;
  readonly brandId: number;
  readonly tuId: string;
}

/** A product whose brand's catalog the transaction has locked. */
export interface LockedProduct {
  readonly product: Product;
  readonly liveVariants: number;
}

/**
 * Takes the catalog locks of the brands and reads their products, in one statement. Returns the product of each position,
 * null if the brand has no such product; a position is missing if its request does not have its Idempotency-Key
 * (`isClaimed`), or if another transaction holds the catalog lock, for which the statement does not wait, or has changed
 * the catalog since the statement began [D91].
 *
 * Only transactions with the catalog lock write rows of `products`: what it returns stays true until the commit.
 */
export async function lockProductsToChange(
  tx: Transaction,
  products: readonly ProductToLock[],
): Promise<Map<number, LockedProduct | null>> {
  const rows = await tx.run(
    statement<{ n: number; live_variants: number } & ({ id: null } | ProductRow)>(
      'lock_products_to_change',
      lock,
      [
        products.map(({ position }) => position),
        products.map(({ brandId }) => brandId),
        products.map(({ tuId }) => tuId),
      ],
    ),
  );
  return new Map(
    rows.map(({ n, live_variants, ...row }) => [
      n,
      row.id === null ? null : { product: productFromRow(row), liveVariants: live_variants },
    ]),
  );
}

const lock = `with asked as materialized (
    select g.n, g.brand_id, g.tu_id from unnest($1::integer[], $2::integer[], $3::text[]) as g (n, brand_id, tu_id)
    where ${isClaimed('g.n')}
  ), catalog as materialized (
    select w.brand_id
    from (select distinct g.brand_id from asked g) w
    cross join lateral (
      select c.xmin as version from brand_catalogs c where c.brand_id = w.brand_id
      offset 0
    ) s
    cross join lateral (
      select c.xmin as version from brand_catalogs c where c.brand_id = w.brand_id
      offset 0
      for no key update skip locked
    ) c
    -- The products of a version that was committed after this statement began are invisible to it.
    where c.version = s.version
  )
  select g.n, p.live_variants, ${productColumns}
  from asked g
  join catalog k on k.brand_id = g.brand_id
  left join lateral (
    select p.* from products p where p.brand_id = g.brand_id and p.tu_id = g.tu_id
    offset 0
  ) p on true`;

/** The fields of a product whose brand's catalog the transaction has locked. */
export interface ProductChange {
  readonly product: Product;
  /** Its new fields, with its present SKU. */
  readonly fields: ProductFields;
}

/**
 * Writes all fields of the products but the SKU, stamps them in their order, and moves the counters of their brands, in one
 * statement. Each product occurs once. The stamps are later than those of all changes committed before [catalog-26] [D9].
 */
export async function updateProducts(tx: Transaction, changes: readonly ProductChange[]): Promise<void> {
  if (changes.length === 0) return;
  const given = changes.map(({ product, fields }, n) => {
    const activeBy = Number(fields.isActive) - Number(product.isActive);
    return {
      n,
      brand_id: product.brandId,
      id: product.id,
      type: fields.type,
      title: fields.title,
      short_description: fields.shortDescription,
      default_language: fields.defaultLanguage,
      versions: fields.translations,
      price_value: fields.priceValue,
      price_currency: fields.priceCurrency,
      tax_class: fields.taxClass,
      is_active: fields.isActive,
      active_by: activeBy,
      active_with_variants_by: product.hasVariants ? activeBy : 0,
    };
  });
  const rows = await tx.run(
    statement<{ updated: number }>('update_products', update, [JSON.stringify(given)]),
  );
  if (rows[0]?.updated !== changes.length) throw new Error('a product was changed without the catalog lock');
}

const update = `with given as materialized (
    select g.* from json_to_recordset($1::json) as g (n integer, brand_id integer, id bigint, type text, title text,
      short_description text, default_language text, versions jsonb, price_value numeric, price_currency text,
      tax_class text, is_active boolean, active_by integer, active_with_variants_by integer)
  ), catalog as materialized (
    select w.brand_id, w.active_by, w.active_with_variants_by, c.place,
      greatest(now_ms(), c.changed_at + interval '1 millisecond') as first_at
    from (
      select g.brand_id, sum(g.active_by) as active_by, sum(g.active_with_variants_by) as active_with_variants_by
      from given g group by g.brand_id
    ) w
    cross join lateral (
      select c.ctid as place, c.changed_at from brand_catalogs c where c.brand_id = w.brand_id
      offset 0
    ) c
  ), p as (
    update products p
    set type = g.type, title = g.title, short_description = g.short_description, default_language = g.default_language,
      versions = g.versions, price_value = g.price_value, price_currency = g.price_currency, tax_class = g.tax_class,
      is_active = g.is_active, updated_at = g.stamped_at
    from (
      select g.*, k.first_at + (row_number() over (partition by g.brand_id order by g.n) - 1) * interval '1 millisecond'
        as stamped_at
      from given g join catalog k on k.brand_id = g.brand_id
    ) g
    cross join lateral (
      select p.ctid as place from products p where p.brand_id = g.brand_id and p.id = g.id
      offset 0
    ) l
    where p.ctid = l.place
    returning p.brand_id, p.updated_at
  ), counted as (
    update brand_catalogs c
    set version = c.version + 1, changed_at = a.last_at, products_active = c.products_active + k.active_by,
      products_active_with_variants = c.products_active_with_variants + k.active_with_variants_by
    from (select p.brand_id, max(p.updated_at) as last_at from p group by p.brand_id) a
    join catalog k on k.brand_id = a.brand_id
    where c.ctid = k.place
  )
  select count(*)::integer as updated from p`;
