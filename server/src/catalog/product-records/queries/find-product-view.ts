import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { ProductView } from '../product.ts';
import {
  type BrandOfViews,
  brandOfViewsColumns,
  productViewJoins,
  productViewRows,
  productViewsFrom,
} from './product-view.ts';

/** Reads one product of the brand by its `tu_id`; null when the brand has no such product. */
export async function findProductView(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<ProductView | null> {
  const rows = await database.run(
    statement<BrandOfViews & { product: string }>(
      'find_product_view',
      `select ${brandOfViewsColumns}, ${productViewRows.sql} as product
       from products p
       ${productViewJoins}
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, tuId],
    ),
  );
  const [row] = rows;
  return (row && productViewsFrom(row.product, row)[0]) ?? null;
}
