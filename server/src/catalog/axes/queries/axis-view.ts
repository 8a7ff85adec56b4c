import type { Axis, AxisValue } from '../axis.ts';

/** An axis with its values, as the axis queries select it. In JSON, timestamps are strings. */
export interface AxisViewRow {
  readonly code: string;
  readonly label: string | null;
  readonly position: number;
  readonly is_active: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly values: readonly AxisValueJson[];
}

interface AxisValueJson {
  readonly value: string;
  readonly label: string | null;
  readonly position: number;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * The columns to select before `from axes a`. The values are read in the same statement, so they are consistent with
 * the axis.
 */
export const axisViewColumns = `a.code, a.label, a.position, a.is_active, a.created_at, a.updated_at, (
    select coalesce(json_agg(json_build_object(
      'value', w.value, 'label', w.label, 'position', w.position, 'is_active', w.is_active,
      'created_at', w.created_at, 'updated_at', w.updated_at
    ) order by w.position, w.value), '[]')
    from axis_values w
    where w.brand_id = a.brand_id and w.axis_id = a.id
  ) as values`;

export function axisFromViewRow(row: AxisViewRow): Axis {
  return {
    code: row.code,
    label: row.label,
    position: row.position,
    isActive: row.is_active,
    values: row.values.map(valueFromJson),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function valueFromJson(json: AxisValueJson): AxisValue {
  return {
    value: json.value,
    label: json.label,
    position: json.position,
    isActive: json.is_active,
    createdAt: new Date(json.created_at),
    updatedAt: new Date(json.updated_at),
  };
}
