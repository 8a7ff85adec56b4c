import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { StoredAxis } from './axis-facts-store.ts';

// Every function writes into brands whose catalogs are locked, and is sent with the next statement.

/** Inserts axes with drawn ids, without their values. */
export function insertAxes(tx: Transaction, axes: readonly StoredAxis[]): void {
  if (axes.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_axes',
      `insert into axes (brand_id, id, code, label, position, is_active, created_at, updated_at)
       overriding system value
       select g.brand_id, g.id, g.code, g.label, g.position, g.is_active, g.created_at, g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, code text, label text, position integer,
         is_active boolean, created_at timestamptz, updated_at timestamptz)`,
      [JSON.stringify(axes.map(rowOf))],
    ),
  );
}

/** Writes the fields and `updated_at` of axes; each occurs once. */
export function updateAxes(tx: Transaction, axes: readonly StoredAxis[]): void {
  if (axes.length === 0) return;
  tx.queue(
    statement<never>(
      'update_axes',
      `update axes a
       set label = g.label, position = g.position, is_active = g.is_active, updated_at = g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, label text, position integer,
         is_active boolean, updated_at timestamptz)
       cross join lateral (
         select k.ctid as place from axes k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where a.ctid = k.place`,
      [JSON.stringify(axes.map(rowOf))],
    ),
  );
}

/** Deletes axes with their values. Breaks a foreign key when a product or a live variant uses one of them. */
export function deleteAxes(
  tx: Transaction,
  axes: readonly { readonly brandId: number; readonly id: number }[],
): void {
  if (axes.length === 0) return;
  tx.queue(
    statement<never>(
      'delete_axes',
      `delete from axes a
       using json_to_recordset($1::json) as g (brand_id integer, id bigint)
       cross join lateral (
         select k.ctid as place from axes k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where a.ctid = k.place`,
      [JSON.stringify(axes.map(({ brandId, id }) => ({ brand_id: brandId, id })))],
    ),
  );
}

function rowOf({ brandId, id, code, label, position, isActive, createdAt, updatedAt }: StoredAxis) {
  return {
    ...{ brand_id: brandId, id, code, label, position, is_active: isActive },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}
