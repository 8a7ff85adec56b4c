import { deleteRows, insertRows, rowSet, updateRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { byPosition } from '../brand-set.ts';
import type { AxisValue } from './axis.ts';
import type { PlaceInLibrary } from './axis-rules.ts';
import { type AxisName, type EntryUse, entryColumns } from './axis-store.ts';

export interface AxisValueName extends AxisName {
  readonly value: string;
}

interface OnAxis {
  readonly brandId: number;
  readonly axisId: number;
}

export type AddedValue = AxisValue & OnAxis;

export type StoredAxisValue = AddedValue & { readonly id: number };

export type ValueUse = EntryUse & OnAxis;

const axesOfNames = `json_to_recordset($1::json) as g (n integer, brand_id integer, code text, value text)
  cross join lateral (
    select a.id from axes a where a.brand_id = g.brand_id and a.code = g.code
    offset 0
  ) a`;

const valuesOfNames = `${axesOfNames}
  cross join lateral (
    select w.id, w.value, w.label, w.position, w.is_active, w.created_at, w.updated_at from axis_values w
    where w.brand_id = g.brand_id and w.value = g.value and w.axis_id = a.id
    offset 0
  ) w`;

const given = (names: readonly AxisValueName[]) =>
  JSON.stringify(names.map(({ brandId, code, value }, n) => ({ n, brand_id: brandId, code, value })));

interface PlaceOnAxis extends PlaceInLibrary {
  readonly axisId: number;
}

/** Reads what creations of values need, in their order; null where the brand has no such axis. */
export async function readValuePlaces(
  tx: Transaction,
  names: readonly AxisValueName[],
): Promise<(PlaceOnAxis | null)[]> {
  const rows = await tx.run(
    statement<PlaceOnAxis & { readonly n: number }>(
      'read_value_places',
      `select g.n, a.id as "axisId", exists (
           select from axis_values w where w.brand_id = g.brand_id and w.value = g.value and w.axis_id = a.id
           offset 0
         ) as "isTaken", (
           select coalesce(max(w.position), -1) from axis_values w where w.brand_id = g.brand_id and w.axis_id = a.id
         ) as "lastPosition"
       from ${axesOfNames}`,
      [given(names)],
    ),
  );
  return byPosition(names.length, rows, (place) => place);
}

/** Reads values in the order of their names; null where there is none. */
export async function findAxisValues(
  tx: Transaction,
  names: readonly AxisValueName[],
): Promise<(StoredAxisValue | null)[]> {
  const rows = await tx.run(
    statement<StoredAxisValue & { readonly n: number }>(
      'find_axis_values',
      `select g.n, g.brand_id as "brandId", a.id as "axisId", w.id, w.value, w.label, w.position,
         w.is_active as "isActive", w.created_at as "createdAt", w.updated_at as "updatedAt"
       from ${valuesOfNames}`,
      [given(names)],
    ),
  );
  return byPosition(names.length, rows, ({ n: _, ...value }) => value);
}

/** Reads whether values are in use, in the order of their names; null where there is none. */
export async function readValueUses(
  tx: Transaction,
  names: readonly AxisValueName[],
): Promise<(ValueUse | null)[]> {
  const rows = await tx.run(
    statement<ValueUse & { readonly n: number }>(
      'read_value_uses',
      `select g.n, g.brand_id as "brandId", a.id as "axisId", w.id, exists (
           select from product_axis_values x
           where x.brand_id = g.brand_id and x.axis_id = a.id and x.value_id = w.id
           offset 0
         ) or exists (
           select from variant_axis_values x
           where x.brand_id = g.brand_id and x.axis_id = a.id and x.value_id = w.id
           offset 0
         ) as "isInUse"
       from ${valuesOfNames}`,
      [given(names)],
    ),
  );
  return byPosition(names.length, rows, (use) => use);
}

// Every function below writes into brands whose catalogs are locked, and is sent with the next statement.

const axis = {
  brand_id: ['integer', ({ brandId }: OnAxis) => brandId],
  axis_id: ['bigint', ({ axisId }: OnAxis) => axisId],
} as const;
const key = { ...axis, id: ['bigint', ({ id }: OnAxis & { readonly id: number }) => id] } as const;

const newValues = rowSet<AddedValue>({
  ...axis,
  value: ['text', ({ value }) => value],
  ...entryColumns,
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
});

export function insertAxisValues(tx: Transaction, values: readonly AddedValue[]): void {
  insertRows(tx, 'axis_values', newValues, values);
}

const changedValues = rowSet<StoredAxisValue>({ ...key, ...entryColumns });

/** Writes the fields and `updated_at` of values; each occurs once. */
export function updateAxisValues(tx: Transaction, values: readonly StoredAxisValue[]): void {
  updateRows(tx, { table: 'axis_values', key: Object.keys(key) }, changedValues, values);
}

const deletedValues = rowSet<ValueUse>(key);

/** Deletes values. Breaks a foreign key when a product selects one of them or a live variant carries it. */
export function deleteAxisValues(tx: Transaction, values: readonly ValueUse[]): void {
  deleteRows(tx, 'axis_values', deletedValues, values);
}
