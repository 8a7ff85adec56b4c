import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Product } from './product.ts';
import { productFields } from './product-columns.ts';

/** Draws ids for new products. */
export async function drawProductIds(tx: Transaction, count: number): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'draw_product_ids',
      `select nextval('products_id_seq') as id from generate_series(1, $1::integer)`,
      [count],
    ),
  );
  return rows.map(({ id }) => id);
}

/** Inserts products with drawn ids and zero stock, in their order; their SKUs are claimed. Sent with the commit. */
export function insertProducts(tx: Transaction, products: readonly Product[]): void {
  if (products.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_products',
      `with given as materialized (
         select g.* from json_to_recordset($1::json) as g (n integer, brand_id integer, id bigint, tu_id text,
           created_at timestamptz, updated_at timestamptz, ${productFields.typed})
       ), stock as (
         insert into product_stock (brand_id, product_id) select g.brand_id, g.id from given g
       )
       insert into products (brand_id, id, tu_id, created_at, updated_at, ${productFields.list()})
       overriding system value
       select g.brand_id, g.id, g.tu_id, g.created_at, g.updated_at, ${productFields.list('g')} from given g order by g.n`,
      [JSON.stringify(products.map(rowOf))],
    ),
  );
}

/** Writes the fields and `updated_at` of products whose catalogs are locked; each occurs once. Sent with the commit. */
export function updateProducts(tx: Transaction, products: readonly Product[]): void {
  if (products.length === 0) return;
  tx.queue(
    statement<never>(
      'update_products',
      `update products p
       set ${productFields.assignments}, updated_at = g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, updated_at timestamptz, ${productFields.typed})
       -- By place, so that the planner never joins the tables by scanning one of them.
       cross join lateral (
         select k.ctid as place from products k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where p.ctid = k.place`,
      [JSON.stringify(products.map(rowOf))],
    ),
  );
}

function rowOf(product: Product, n: number): Record<string, unknown> {
  const { brandId, id, tuId, createdAt, updatedAt } = product;
  return {
    ...{ n, brand_id: brandId, id, tu_id: tuId, created_at: createdAt, updated_at: updatedAt },
    ...productFields.rowOf(product),
  };
}
