import type { AxisSelection, SelectedValue } from '../axis-selection.ts';

/** The selection of a product as `selectionJson` selects it. */
export type SelectionJson = readonly {
  readonly id: number;
  readonly code: string;
  readonly label: string | null;
  readonly position: number;
  readonly is_active: boolean;
  readonly values: readonly {
    readonly id: number;
    readonly value: string;
    readonly label: string | null;
    readonly position: number;
    readonly is_active: boolean;
  }[];
}[];

/**
 * A column with the selection of the product `p`, read at the same moment as the product. Each value is looked up by
 * its key ("offset 0" keeps the look-up separate) [D76]: on tables that were never analysed, the planner joined the
 * whole library of an axis with all selections, which took 87 ms instead of 1.
 */
export const selectionJson = `(
    select coalesce(json_agg(json_build_object(
      'id', a.id, 'code', a.code, 'label', a.label, 'position', pa.position, 'is_active', a.is_active,
      'values', (
        select json_agg(json_build_object(
          'id', w.id, 'value', w.value, 'label', w.label, 'position', w.position, 'is_active', w.is_active
        ) order by w.position, w.value)
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

export function selectionFromJson(json: SelectionJson): AxisSelection {
  return json.map((axis) => ({
    id: axis.id,
    code: axis.code,
    label: axis.label,
    position: axis.position,
    isActive: axis.is_active,
    values: axis.values.map(selectedValueFromJson),
  }));
}

export function selectedValueFromJson({
  is_active,
  ...value
}: SelectionJson[number]['values'][number]): SelectedValue {
  return { ...value, isActive: is_active };
}
