import { statement } from '../../postgres/statement.ts';
import type { CatalogLock, CatalogWrite } from '../brand-catalog-store.ts';
import type { Product, ProductFields, ProductTranslations } from './product.ts';

/** A row of `products`, as every query of this folder selects it. */
export interface ProductRow {
  readonly brand_id: number;
  readonly id: number;
  readonly tu_id: string;
  readonly sku: string;
  readonly type: 'simple';
  readonly title: string;
  readonly short_description: string | null;
  readonly default_language: string;
  readonly versions: ProductTranslations;
  readonly price_value: string;
  readonly price_currency: string;
  readonly tax_class: string;
  readonly is_active: boolean;
  readonly has_variants: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = [
  'brand_id',
  'id',
  'tu_id',
  'sku',
  'type',
  'title',
  'short_description',
  'default_language',
  'versions',
  'price_value',
  'price_currency',
  'tax_class',
  'is_active',
  'has_variants',
  'created_at',
  'updated_at',
];

/** The columns that an insert writes: the keys, the fields in the order of `columnValues`, the two times. */
const insertedColumns = `brand_id, tu_id, sku, type, title, short_description, default_language, versions,
  price_value, price_currency, tax_class, is_active, created_at, updated_at`;

/** The columns that an inserted row returns for a ProductRow. */
const returnedColumns = columns.join(', ');

/** The columns of a ProductRow, from a table or subquery named `p`. */
export const productColumns = columns.map((column) => `p.${column}`).join(', ');

export function productFromRow(row: ProductRow): Product {
  return {
    brandId: row.brand_id,
    id: row.id,
    tuId: row.tu_id,
    sku: row.sku,
    type: row.type,
    title: row.title,
    shortDescription: row.short_description,
    defaultLanguage: row.default_language,
    translations: row.versions,
    // At most 15 significant digits, which a number represents exactly.
    priceValue: Number(row.price_value),
    priceCurrency: row.price_currency,
    taxClass: row.tax_class,
    isActive: row.is_active,
    hasVariants: row.has_variants,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Claims the SKU and inserts the product, with zero stock, in one statement; null when the SKU is taken. Waits for
 * another transaction that is about to claim the same SKU, so that exactly one of them gets it.
 */
export async function insertProduct(
  { tx, brandId, stampedAt }: CatalogWrite,
  tuId: string,
  fields: ProductFields,
): Promise<Product | null> {
  const rows = await tx.run(
    statement<ProductRow>(
      'insert_product',
      `with claim as (
         insert into sku_claims (brand_id, sku, kind, tu_id)
         values ($1, $3, 'product', $2)
         on conflict (brand_id, sku) do nothing
         returning sku
       ), p as (
         insert into products (${insertedColumns})
         select $1, $2, claim.sku, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13 from claim
         returning ${returnedColumns}
       ), stock as (
         insert into product_stock (brand_id, product_id) select p.brand_id, p.id from p
       )
       select ${productColumns} from p`,
      [brandId, tuId, ...columnValues(fields), stampedAt],
    ),
  );
  return rows[0] === undefined ? null : productFromRow(rows[0]);
}

/** Writes all fields of a product that the transaction has locked. */
export async function updateProduct(
  { tx, stampedAt }: CatalogWrite,
  product: Product,
  fields: ProductFields,
): Promise<Product> {
  const rows = await tx.run(
    statement<ProductRow>(
      'update_product',
      `update products p
       set sku = $3, type = $4, title = $5, short_description = $6, default_language = $7, versions = $8,
           price_value = $9, price_currency = $10, tax_class = $11, is_active = $12, updated_at = $13
       where p.brand_id = $1 and p.id = $2
       returning ${productColumns}`,
      [product.brandId, product.id, ...columnValues(fields), stampedAt],
    ),
  );
  return productFromRow(rows[0] as ProductRow);
}

function columnValues(fields: ProductFields): unknown[] {
  return [
    fields.sku,
    fields.type,
    fields.title,
    fields.shortDescription,
    fields.defaultLanguage,
    fields.translations,
    fields.priceValue,
    fields.priceCurrency,
    fields.taxClass,
    fields.isActive,
  ];
}

/**
 * Reads and locks one product of the brand; null if there is none. The row lock is not on the key: a stock write,
 * whose foreign key checks this row, does not wait for it, which rules out a deadlock between the two.
 */
export async function lockProduct({ tx, brandId }: CatalogLock, tuId: string): Promise<Product | null> {
  const rows = await tx.run(
    statement<ProductRow>(
      'lock_product',
      `select ${productColumns} from products p where p.brand_id = $1 and p.tu_id = $2 for no key update`,
      [brandId, tuId],
    ),
  );
  return rows[0] === undefined ? null : productFromRow(rows[0]);
}

/** Moves the `updated_at` of a product whose selection has changed. */
export function stampProduct({ tx, brandId, stampedAt }: CatalogWrite, productId: number): void {
  tx.queue(
    statement<never>('stamp_product', 'update products set updated_at = $3 where brand_id = $1 and id = $2', [
      brandId,
      productId,
      stampedAt,
    ]),
  );
}
