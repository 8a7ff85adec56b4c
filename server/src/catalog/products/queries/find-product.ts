import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Product } from '../product.ts';
import { type ProductRow, productColumns, productFromRow } from '../product-store.ts';

/** One product of the brand by its `tu_id`; null when there is none, or it is another brand's. */
export async function findProduct(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<Product | null> {
  const rows = await database.run(
    statement<ProductRow>(
      'find_product',
      `select ${productColumns} from products p where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0] === undefined ? null : productFromRow(rows[0]);
}
