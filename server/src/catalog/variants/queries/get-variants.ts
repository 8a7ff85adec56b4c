import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { variantsJson } from './variants-json.ts';
import {
  type VariantsOfProduct,
  type VariantsOfProductRow,
  variantsOfProductColumns,
  variantsOfProductFromRow,
} from './variants-of-product.ts';

/**
 * Returns the live variants of a product that have the given ids, in list order, in one statement.
 * @throws ApiError `not_found` when the brand has no such product.
 */
export async function getVariants(
  database: Queryable,
  brandId: number,
  productTuId: string,
  ids: readonly number[],
): Promise<VariantsOfProduct> {
  const rows = await database.run(
    statement<VariantsOfProductRow>(
      'get_variants',
      `select ${variantsOfProductColumns(variantsJson({ conditions: 'and v.id = any($3::bigint[])' }))}
       from products p
       join brands b on b.id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId, ids],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return variantsOfProductFromRow(rows[0]);
}
