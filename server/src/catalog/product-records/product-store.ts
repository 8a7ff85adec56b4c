import type { InBrand } from '../../api/operation.ts';
import { statement } from '../../postgres/statement.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import { type SkuHolder, skuHolderJson } from '../skus/sku-claim-store.ts';
import type { Product } from './product.ts';
import { productFields } from './product-columns.ts';

export interface ReadForCreation {
  readonly id: number;
  readonly holder: SkuHolder | null;
}

/** Draws the id of a new product, and reads who holds its SKU; null if it is free. */
export async function readNewProduct({ tx, brandId }: InBrand, sku: string): Promise<ReadForCreation> {
  const [row] = await tx.run(
    statement<ReadForCreation>(
      'read_new_product',
      `select nextval('products_id_seq') as id, ${skuHolderJson('$2')} as holder`,
      [brandId, sku],
    ),
  );
  return row as ReadForCreation;
}

/** Inserts a product with a drawn id and without stock, and claims its SKU. Sent with the commit. */
export function insertProduct({ tx, brandId }: CatalogLock, product: Product): void {
  const { id, tuId, createdAt, updatedAt } = product;
  tx.queue(
    statement<never>(
      'insert_product',
      `with claimed as (
         insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, $6, 'product', $3)
       ), created as (
         insert into products (brand_id, id, tu_id, created_at, updated_at, ${productFields.list()}) overriding system value
         values ($1, $2, $3, $4, $5, ${productFields.placeholders(7)})
       )
       insert into product_stock (brand_id, product_id) values ($1, $2)`,
      [brandId, id, tuId, createdAt, updatedAt, product.sku, ...productFields.valuesOf(product)],
    ),
  );
}

/** Writes the fields and `updated_at` of a product. Sent with the commit. */
export function updateProduct({ tx, brandId }: CatalogLock, product: Product): void {
  tx.queue(
    statement<never>(
      'update_product',
      `update products set updated_at = $3, ${productFields.assignments(4)} where brand_id = $1 and id = $2`,
      [brandId, product.id, product.updatedAt, ...productFields.valuesOf(product)],
    ),
  );
}
