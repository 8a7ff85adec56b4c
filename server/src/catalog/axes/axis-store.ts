import { deleteRows, insertRows, rowSet, updateRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { byPosition } from '../brand-set.ts';
import type { Axis, AxisFields, AxisValue } from './axis.ts';
import type { PlaceInLibrary } from './axis-rules.ts';

export interface AxisName {
  readonly brandId: number;
  readonly code: string;
}

export interface EntryId {
  readonly brandId: number;
  readonly id: number;
}

export type StoredAxis = Axis & EntryId;

const axisNames = 'json_to_recordset($1::json) as g (n integer, brand_id integer, code text)';

const given = (names: readonly AxisName[]) =>
  JSON.stringify(names.map(({ brandId, code }, n) => ({ n, brand_id: brandId, code })));

/** Reads what creations of axes need, in their order: the place, and the id of the new axis. */
export function readAxisPlaces(
  tx: Transaction,
  names: readonly AxisName[],
): Promise<(PlaceInLibrary & { readonly id: number })[]> {
  return tx.run(
    statement<PlaceInLibrary & { readonly id: number }>(
      'read_axis_places',
      `select nextval('axes_id_seq') as id,
         exists (select from axes a where a.brand_id = g.brand_id and a.code = g.code offset 0) as "isTaken",
         (select coalesce(max(a.position), -1) from axes a where a.brand_id = g.brand_id) as "lastPosition"
       from ${axisNames} order by g.n`,
      [given(names)],
    ),
  );
}

/** Reads axes with their values, in the order of their names; null where the brand has no such code. */
export async function findAxes(tx: Transaction, names: readonly AxisName[]): Promise<(StoredAxis | null)[]> {
  const rows = await tx.run(
    statement<AxisViewRow & EntryId & { readonly n: number }>(
      'find_axes',
      `select g.n, g.brand_id as "brandId", a.* from ${axisNames}
       cross join lateral (
         select a.id, ${axisViewColumns} from axes a where a.brand_id = g.brand_id and a.code = g.code
         offset 0
       ) a`,
      [given(names)],
    ),
  );
  return byPosition(names.length, rows, ({ n: _, brandId, id, ...row }) => {
    return { brandId, id, ...axisFromViewRow(row) };
  });
}

/** An axis or a value, and whether a product or a live variant uses it. */
export interface EntryUse extends EntryId {
  readonly isInUse: boolean;
}

/** Reads whether axes are in use, in the order of their names; null where the brand has no such code. */
export async function readAxisUses(
  tx: Transaction,
  names: readonly AxisName[],
): Promise<(EntryUse | null)[]> {
  const rows = await tx.run(
    statement<EntryUse & { readonly n: number }>(
      'read_axis_uses',
      // "min" reads the index; the plan for "exists" expects an early match, and scans the table if there is none.
      `select g.n, g.brand_id as "brandId", a.id,
         (select min(x.product_id) from product_axes x where x.brand_id = g.brand_id and x.axis_id = a.id) is not null
         or exists (
           select from axis_values w
           where w.brand_id = g.brand_id and w.axis_id = a.id and exists (
             select from variant_axis_values x
             where x.brand_id = g.brand_id and x.value_id = w.id and x.axis_id = a.id
             offset 0
           )
         ) as "isInUse"
       from ${axisNames}
       cross join lateral (
         select a.id from axes a where a.brand_id = g.brand_id and a.code = g.code
         offset 0
       ) a`,
      [given(names)],
    ),
  );
  return byPosition(names.length, rows, (use) => use);
}

// Every function below writes into brands whose catalogs are locked, and is sent with the next statement.

const key = {
  brand_id: ['integer', ({ brandId }: EntryId) => brandId],
  id: ['bigint', ({ id }: EntryId) => id],
} as const;

export const entryColumns = {
  label: ['text', ({ label }: Entry) => label],
  position: ['integer', ({ position }: Entry) => position],
  is_active: ['boolean', ({ isActive }: Entry) => isActive],
  updated_at: ['timestamptz', ({ updatedAt }: Entry) => updatedAt],
} as const;

interface Entry extends AxisFields {
  readonly updatedAt: Date;
}

const newAxes = rowSet<StoredAxis>({
  ...key,
  code: ['text', ({ code }) => code],
  ...entryColumns,
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
});

/** Inserts axes with drawn ids, without their values. */
export function insertAxes(tx: Transaction, axes: readonly StoredAxis[]): void {
  insertRows(tx, 'axes', newAxes, axes);
}

const changedAxes = rowSet<StoredAxis>({ ...key, ...entryColumns });

/** Writes the fields and `updated_at` of axes; each occurs once. */
export function updateAxes(tx: Transaction, axes: readonly StoredAxis[]): void {
  updateRows(tx, { table: 'axes', key: Object.keys(key) }, changedAxes, axes);
}

const deletedAxes = rowSet<EntryId>(key);

/** Deletes axes with their values. Breaks a foreign key when a product or a live variant uses one of them. */
export function deleteAxes(tx: Transaction, axes: readonly EntryId[]): void {
  deleteRows(tx, 'axes', deletedAxes, axes);
}

/** An axis with its values, as the axis queries select it. In JSON, timestamps are strings. */
export interface AxisViewRow extends Omit<Axis, 'values'> {
  readonly values: readonly (Omit<AxisValue, 'createdAt' | 'updatedAt'> & {
    readonly createdAt: string;
    readonly updatedAt: string;
  })[];
}

/** The columns to select before `from axes a`: an axis and its values, consistently. */
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
      ...value,
      createdAt: new Date(createdAt),
      updatedAt: new Date(updatedAt),
    })),
  };
}
