import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { ProductView } from '../product.ts';
import {
  type ProductViewRow,
  productViewColumns,
  productViewFromRow,
  productViewJoins,
} from './product-view.ts';

/** Reads one product of the brand by its `tu_id`; null when the brand has no such product. */
export async function findProductView(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<ProductView | null> {
  const rows = await database.run(
    statement<ProductViewRow>(
      'find_product_view',
      `select ${productViewColumns}
       from products p
       ${productViewJoins}
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  return rows[0] === undefined ? null : productViewFromRow(rows[0]);
}
