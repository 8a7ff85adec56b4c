import { rowSet, updateRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Product } from './product.ts';
import { productFields } from './product-columns.ts';

const key = {
  brand_id: ['integer', ({ brandId }: Product) => brandId],
  id: ['bigint', ({ id }: Product) => id],
} as const;
const updatedAt = { updated_at: ['timestamptz', (product: Product) => product.updatedAt] } as const;

const newProducts = rowSet<Product>({
  ...key,
  tu_id: ['text', ({ tuId }) => tuId],
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
  ...updatedAt,
  ...productFields.setColumns<Product>((product) => product),
});

/** Inserts products with drawn ids and zero stock, in their order; their SKUs are claimed. Sent with the commit. */
export function insertProducts(tx: Transaction, products: readonly Product[]): void {
  if (products.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_products',
      `with created as (
         insert into products (${newProducts.names.join(', ')}) overriding system value select g.* from ${newProducts.sql}
       )
       insert into product_stock (brand_id, product_id) select g.brand_id, g.id from ${newProducts.sql}`,
      newProducts.values(products),
    ),
  );
}

const changedProducts = rowSet<Product>({
  ...key,
  ...updatedAt,
  ...productFields.setColumns<Product>((product) => product),
});

/** Writes the fields and `updated_at` of products whose catalogs are locked; each occurs once. Sent with the commit. */
export function updateProducts(tx: Transaction, products: readonly Product[]): void {
  updateRows(tx, { table: 'products', key: ['brand_id', 'id'] }, changedProducts, products);
}
