import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { AxisSelection } from '../axis-selection.ts';

/** The JSON of a value `w` of the library, with the names of a `SelectedValue`. */
export const valueJson = `json_build_object(
  'id', w.id, 'value', w.value, 'label', w.label, 'position', w.position, 'isActive', w.is_active
)`;

/**
 * A column with the `AxisSelection` of the product `p`. Each value is looked up by its key ("offset 0") [D76]: on tables that
 * were never analysed, the planner joined the whole library of an axis with all selections, which took 87 ms instead of 1.
 */
export const selectionJson = `(
    select coalesce(json_agg(json_build_object(
      'id', a.id, 'code', a.code, 'label', a.label, 'position', pa.position, 'isActive', a.is_active,
      'values', (
        select json_agg(${valueJson} order by w.position, w.value)
        from product_axis_values s
        cross join lateral (
          select v.id, v.value, v.label, v.position, v.is_active from axis_values v
          where v.brand_id = s.brand_id and v.axis_id = s.axis_id and v.id = s.value_id
          offset 0
        ) w
        where s.brand_id = pa.brand_id and s.product_id = pa.product_id and s.axis_id = pa.axis_id
      )
    ) order by pa.position), '[]')
    from product_axes pa
    join axes a on a.brand_id = pa.brand_id and a.id = pa.axis_id
    where pa.brand_id = p.brand_id and pa.product_id = p.id
  )`;

/** @throws ApiError `not_found` when the brand has no such product */
export async function getAxisSelection(
  database: Queryable,
  brandId: number,
  productTuId: string,
): Promise<AxisSelection> {
  const rows = await database.run(
    statement<{ selection: AxisSelection }>(
      'get_axis_selection',
      `select ${selectionJson} as selection from products p where p.brand_id = $1 and p.tu_id = $2`,
      [brandId, productTuId],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return rows[0].selection;
}
