import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import type { ProductView } from '../product.ts';
import { findProductView } from './find-product-view.ts';

/**
 * A product with its selected axes and its live variants, in a constant number of statements.
 * @throws ApiError `not_found` when the brand has no such product.
 */
export async function getProductDetail(
  database: Queryable,
  brandId: number,
  tuId: string,
): Promise<ProductView> {
  const view = await findProductView(database, brandId, tuId);
  if (view === null) throw notFound();
  return view;
}
