import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { AxisSelection } from '../axis-selection.ts';
import { type SelectionJson, selectionFromJson, selectionJson } from './selection-json.ts';

/**
 * Reads the selection of a product, in one statement.
 * @throws ApiError `not_found` when the brand has no such product.
 */
export async function getAxisSelection(
  database: Queryable,
  brandId: number,
  productTuId: string,
): Promise<AxisSelection> {
  const rows = await database.run(
    statement<{ selection: SelectionJson }>(
      'get_axis_selection',
      `select ${selectionJson} as selection from products p where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return selectionFromJson(rows[0].selection);
}
