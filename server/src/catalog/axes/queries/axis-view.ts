import type { Axis, AxisValue } from '../axis.ts';

/** An axis with its values, as the axis queries select it. In JSON, timestamps are strings. */
export interface AxisViewRow extends Omit<Axis, 'values'> {
  readonly values: readonly (Omit<AxisValue, 'createdAt' | 'updatedAt'> & {
    readonly createdAt: string;
    readonly updatedAt: string;
  })[];
}

/**
 * The columns to select before `from axes a`. The values are read in the same statement, so they are consistent with
 * the axis.
 */
export const axisViewColumns = `a.code, a.label, a.position, a.is_active as "isActive", a.created_at as "createdAt",
  a.updated_at as "updatedAt", (
    select coalesce(json_agg(json_build_object(
      'value', w.value, 'label', w.label, 'position', w.position, 'isActive', w.is_active,
      'createdAt', w.created_at, 'updatedAt', w.updated_at
    ) order by w.position, w.value), '[]')
    from axis_values w
    where w.brand_id = a.brand_id and w.axis_id = a.id
  ) as values`;

export function axisFromViewRow({ values, ...axis }: AxisViewRow): Axis {
  return {
    ...axis,
    values: values.map(({ createdAt, updatedAt, ...value }) => ({
      ...{ ...value, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) },
    })),
  };
}
