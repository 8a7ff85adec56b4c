import { isClaimed } from '../../access/idempotency/shared-keys-store.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { OpenFields, Product } from './product.ts';
import { type ProductRow, productColumns, productFromRow } from './product-store.ts';

/** A product to insert for a request of a shared transaction. */
export interface ProductToInsert {
  /** The position of the request. */
  readonly position: number;
  readonly brandId: number;
  readonly tuId: string;
  readonly fields: OpenFields;
}

/**
 * Inserts products of any brands, in their order, in one statement: takes the brands' catalog locks as `beginCatalogChange`
 * does for one, stamps, fills in the brands' defaults, claims SKUs, inserts the products with zero stock, and counts them.
 *
 * Returns the products by `tu_id`, without those that it did not insert: the request does not have its Idempotency-Key
 * (`isClaimed`); the brand's catalog is locked by another transaction, for which the statement does not wait, was changed by
 * one that committed meanwhile, or has no change yet [D91]; the SKU is taken, also by an earlier one of the list.
 *
 * The stamps are later than those of all changes committed before [catalog-26] [D9]. A brand whose products were all left
 * out keeps its version.
 */
export async function insertProducts(
  tx: Transaction,
  products: readonly ProductToInsert[],
): Promise<Map<string, Product>> {
  if (products.length === 0) return new Map();
  const given = products.map(({ position, brandId, tuId, fields }) => ({
    n: position,
    brand_id: brandId,
    tu_id: tuId,
    sku: fields.sku,
    type: fields.type,
    title: fields.title,
    titles: fields.titles,
    short_description: fields.shortDescription,
    default_language: fields.defaultLanguage,
    versions: fields.translations,
    price_value: fields.priceValue,
    price_currency: fields.priceCurrency,
    tax_class: fields.taxClass,
    is_active: fields.isActive,
  }));
  const rows = await tx.run(statement<ProductRow>('insert_products', insert, [JSON.stringify(given)]));
  return new Map(rows.map((row) => [row.tu_id, productFromRow(row)]));
}

const insert = `with asked as materialized (
    select g.* from json_to_recordset($1::json) as g (n integer, brand_id integer, tu_id text, sku text, type text,
      title text, titles json, short_description text, default_language text, versions jsonb, price_value numeric,
      price_currency text, tax_class text, is_active boolean)
    where ${isClaimed('g.n')}
  ), catalog as materialized (
    select w.brand_id, s.place, greatest(now_ms(), c.changed_at + interval '1 millisecond') as first_at, b.currency,
      b.default_language
    from (select distinct g.brand_id from asked g) w
    cross join lateral (
      select c.ctid as place, c.xmin as version from brand_catalogs c where c.brand_id = w.brand_id
      offset 0
    ) s
    cross join lateral (
      select c.changed_at, c.xmin as version from brand_catalogs c where c.brand_id = w.brand_id
      offset 0
      for no key update skip locked
    ) c
    cross join lateral (
      select b.currency, b.default_language from brands b where b.id = w.brand_id
      offset 0
    ) b
    -- A version that was committed after this statement began is invisible to the update below.
    where c.version = s.version
  ), given as materialized (
    select g.n, g.brand_id, g.tu_id, g.sku, g.type, g.title, g.titles, g.short_description, g.versions, g.price_value,
      g.tax_class, g.is_active, coalesce(g.default_language, k.default_language) as default_language,
      coalesce(g.price_currency, k.currency) as price_currency,
      k.first_at + (row_number() over (partition by g.brand_id order by g.n) - 1) * interval '1 millisecond' as stamped_at
    from asked g join catalog k on k.brand_id = g.brand_id
  ), claim as (
    insert into sku_claims (brand_id, sku, kind, tu_id)
    select g.brand_id, g.sku, 'product', g.tu_id from given g order by g.n
    on conflict (brand_id, sku) do nothing
    returning brand_id, tu_id
  ), p as (
    insert into products (brand_id, tu_id, sku, type, title, short_description, default_language, versions,
      price_value, price_currency, tax_class, is_active, created_at, updated_at)
    select g.brand_id, g.tu_id, g.sku, g.type, coalesce(g.title, g.titles ->> lower(g.default_language), g.sku),
      g.short_description, g.default_language, g.versions, g.price_value, g.price_currency, g.tax_class, g.is_active,
      g.stamped_at, g.stamped_at
    from (
      select g.* from given g join claim c on c.brand_id = g.brand_id and c.tu_id = g.tu_id order by g.n
    ) g
    returning brand_id, id, tu_id, sku, type, title, short_description, default_language, versions, price_value,
      price_currency, tax_class, is_active, has_variants, created_at, updated_at
  ), stock as (
    insert into product_stock (brand_id, product_id) select p.brand_id, p.id from p
  ), counted as (
    update brand_catalogs c
    set version = c.version + 1, changed_at = a.last_at, products_total = c.products_total + a.total,
      products_active = c.products_active + a.active
    from (
      select p.brand_id, count(*) as total, count(*) filter (where p.is_active) as active, max(p.updated_at) as last_at
      from p group by p.brand_id
    ) a
    cross join lateral (select k.place from catalog k where k.brand_id = a.brand_id offset 0) l
    where c.ctid = l.place and c.brand_id = a.brand_id
  )
  select ${productColumns} from p`;
