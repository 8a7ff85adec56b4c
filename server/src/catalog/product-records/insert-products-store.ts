import { statement } from '../../postgres/statement.ts';
import type { CatalogWrites } from '../brand-catalogs-store.ts';
import type { Product, ProductFields } from './product.ts';
import {
  insertedColumns,
  type ProductRow,
  productColumns,
  productFromRow,
  returnedColumns,
} from './product-store.ts';

/** A product to insert, of a brand whose catalog is locked. */
export interface ProductToInsert {
  readonly brandId: number;
  readonly tuId: string;
  readonly fields: ProductFields;
  /** The `created_at` and `updated_at`. */
  readonly stampedAt: Date;
}

/**
 * Claims SKUs, inserts products with zero stock, in their order, counts them and stamps their catalogs, in one statement.
 * Returns the products by `tu_id`, without those whose SKU was taken, also by an earlier one of the list.
 */
export async function insertProducts(
  { tx }: CatalogWrites,
  products: readonly ProductToInsert[],
): Promise<Map<string, Product>> {
  if (products.length === 0) return new Map();
  const given = products.map(({ brandId, tuId, fields, stampedAt }, n) => ({
    ...{ n, brand_id: brandId, tu_id: tuId, stamped_at: stampedAt },
    ...{
      sku: fields.sku,
      type: fields.type,
      title: fields.title,
      short_description: fields.shortDescription,
    },
    ...{
      default_language: fields.defaultLanguage,
      versions: fields.translations,
      price_value: fields.priceValue,
    },
    ...{ price_currency: fields.priceCurrency, tax_class: fields.taxClass, is_active: fields.isActive },
  }));
  const rows = await tx.run(statement<ProductRow>('insert_products', insert, [JSON.stringify(given)]));
  return new Map(rows.map((row) => [row.tu_id, productFromRow(row)]));
}

const insert = `with given as materialized (
    select g.* from json_to_recordset($1::json) as g (n integer, brand_id integer, tu_id text, stamped_at timestamptz,
      sku text, type text, title text, short_description text, default_language text, versions jsonb,
      price_value numeric, price_currency text, tax_class text, is_active boolean)
  ), claim as (
    insert into sku_claims (brand_id, sku, kind, tu_id)
    select g.brand_id, g.sku, 'product', g.tu_id from given g order by g.n
    on conflict (brand_id, sku) do nothing
    returning brand_id, tu_id
  ), p as (
    insert into products (${insertedColumns})
    select g.brand_id, g.tu_id, g.sku, g.type, g.title, g.short_description, g.default_language, g.versions,
      g.price_value, g.price_currency, g.tax_class, g.is_active, g.stamped_at, g.stamped_at
    from (
      select g.* from given g join claim c on c.brand_id = g.brand_id and c.tu_id = g.tu_id order by g.n
    ) g
    returning ${returnedColumns}
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
    cross join lateral (select c.ctid as place from brand_catalogs c where c.brand_id = a.brand_id offset 0) l
    where c.ctid = l.place and c.brand_id = a.brand_id
  )
  select ${productColumns} from p`;
