import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AxisValue } from './axis.ts';
import type { StoredAxisValue } from './axis-value-facts-store.ts';

// Every function writes into brands whose catalogs are locked, and is sent with the next statement.

/** A value that an axis gets. */
export interface AddedValue extends AxisValue {
  readonly brandId: number;
  readonly axisId: number;
}

/** Inserts values in their order. */
export function insertAxisValues(tx: Transaction, values: readonly AddedValue[]): void {
  if (values.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_axis_values',
      `insert into axis_values (brand_id, axis_id, value, label, position, is_active, created_at, updated_at)
       select g.brand_id, g.axis_id, g.value, g.label, g.position, g.is_active, g.created_at, g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, axis_id bigint, value text, label text,
         position integer, is_active boolean, created_at timestamptz, updated_at timestamptz)`,
      [JSON.stringify(values.map(rowOf))],
    ),
  );
}

/** Writes the fields and `updated_at` of values; each occurs once. */
export function updateAxisValues(tx: Transaction, values: readonly StoredAxisValue[]): void {
  if (values.length === 0) return;
  tx.queue(
    statement<never>(
      'update_axis_values',
      `update axis_values w
       set label = g.label, position = g.position, is_active = g.is_active, updated_at = g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, axis_id bigint, id bigint, label text,
         position integer, is_active boolean, updated_at timestamptz)
       cross join lateral (
         select k.ctid as place from axis_values k
         where k.brand_id = g.brand_id and k.axis_id = g.axis_id and k.id = g.id
         offset 0
       ) k
       where w.ctid = k.place`,
      [JSON.stringify(values.map((value) => ({ ...rowOf(value), id: value.id })))],
    ),
  );
}

/** Deletes values. Breaks a foreign key when a product selects one of them or a live variant carries it. */
export function deleteAxisValues(
  tx: Transaction,
  values: readonly { readonly brandId: number; readonly axisId: number; readonly id: number }[],
): void {
  if (values.length === 0) return;
  tx.queue(
    statement<never>(
      'delete_axis_values',
      `delete from axis_values w
       using json_to_recordset($1::json) as g (brand_id integer, axis_id bigint, id bigint)
       cross join lateral (
         select k.ctid as place from axis_values k
         where k.brand_id = g.brand_id and k.axis_id = g.axis_id and k.id = g.id
         offset 0
       ) k
       where w.ctid = k.place`,
      [JSON.stringify(values.map(({ brandId, axisId, id }) => ({ brand_id: brandId, axis_id: axisId, id })))],
    ),
  );
}

function rowOf(added: AddedValue) {
  const { brandId, axisId, value, label, position, isActive, createdAt, updatedAt } = added;
  return {
    ...{ brand_id: brandId, axis_id: axisId, value, label, position, is_active: isActive },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}
