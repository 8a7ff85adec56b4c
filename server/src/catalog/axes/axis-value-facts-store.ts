import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AxisValue } from './axis.ts';
import type { AxisName, EntryUse } from './axis-facts-store.ts';
import type { PlaceInLibrary } from './axis-rules.ts';

/** The name of a value of an axis. */
export interface AxisValueName extends AxisName {
  readonly value: string;
}

export interface StoredAxisValue extends AxisValue {
  readonly brandId: number;
  readonly axisId: number;
  readonly id: number;
}

/** A value of an axis, and whether it is in use. */
export interface ValueUse extends EntryUse {
  readonly axisId: number;
}

interface Row {
  readonly n: number;
  readonly axis_id: number;
  readonly id: number;
  readonly value: string;
  readonly label: string | null;
  readonly position: number;
  readonly is_active: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The names, with the axes that exist. */
const axesOfNames = `json_to_recordset($1::json) as g (n integer, brand_id integer, code text, value text)
  cross join lateral (
    select a.id from axes a where a.brand_id = g.brand_id and a.code = g.code
    offset 0
  ) a`;

/** The names, with the values that exist. */
const valuesOfNames = `${axesOfNames}
  cross join lateral (
    select w.id, w.value, w.label, w.position, w.is_active, w.created_at, w.updated_at from axis_values w
    where w.brand_id = g.brand_id and w.value = g.value and w.axis_id = a.id
    offset 0
  ) w`;

const given = (names: readonly AxisValueName[]) =>
  JSON.stringify(names.map(({ brandId, code, value }, n) => ({ n, brand_id: brandId, code, value })));

/** Reads what creations of values need, in their order, in one statement; null where the brand has no such axis. */
export async function readValuePlaces(
  tx: Transaction,
  names: readonly AxisValueName[],
): Promise<((PlaceInLibrary & { readonly axisId: number }) | null)[]> {
  const rows = await tx.run(
    statement<{ n: number; axis_id: number; is_taken: boolean; last_position: number }>(
      'read_value_places',
      `select g.n, a.id as axis_id, exists (
           select from axis_values w where w.brand_id = g.brand_id and w.value = g.value and w.axis_id = a.id
           offset 0
         ) as is_taken, (
           select coalesce(max(w.position), -1) from axis_values w where w.brand_id = g.brand_id and w.axis_id = a.id
         ) as last_position
       from ${axesOfNames}`,
      [given(names)],
    ),
  );
  const places: ((PlaceInLibrary & { readonly axisId: number }) | null)[] = names.map(() => null);
  for (const { n, axis_id, is_taken, last_position } of rows)
    places[n] = { axisId: axis_id, isTaken: is_taken, lastPosition: last_position };
  return places;
}

/** Reads values in the order of their names, in one statement; null where there is none. */
export async function findAxisValues(
  tx: Transaction,
  names: readonly AxisValueName[],
): Promise<(StoredAxisValue | null)[]> {
  const rows = await tx.run(
    statement<Row>('find_axis_values', `select g.n, a.id as axis_id, w.* from ${valuesOfNames}`, [
      given(names),
    ]),
  );
  const found: (StoredAxisValue | null)[] = names.map(() => null);
  for (const row of rows)
    found[row.n] = {
      brandId: (names[row.n] as AxisValueName).brandId,
      ...{ axisId: row.axis_id, id: row.id, value: row.value },
      ...{ label: row.label, position: row.position, isActive: row.is_active },
      ...{ createdAt: row.created_at, updatedAt: row.updated_at },
    };
  return found;
}

/** Reads which values a product selects or a live variant carries, in the order of their names; null where there is none. */
export async function readValueUses(
  tx: Transaction,
  names: readonly AxisValueName[],
): Promise<(ValueUse | null)[]> {
  const rows = await tx.run(
    statement<{ n: number; axis_id: number; id: number; in_use: boolean }>(
      'read_value_uses',
      `select g.n, a.id as axis_id, w.id, exists (
           select from product_axis_values x
           where x.brand_id = g.brand_id and x.axis_id = a.id and x.value_id = w.id
           offset 0
         ) or exists (
           select from variant_axis_values x
           where x.brand_id = g.brand_id and x.axis_id = a.id and x.value_id = w.id
           offset 0
         ) as in_use
       from ${valuesOfNames}`,
      [given(names)],
    ),
  );
  const found: (ValueUse | null)[] = names.map(() => null);
  for (const { n, axis_id, id, in_use } of rows)
    found[n] = { brandId: (names[n] as AxisValueName).brandId, axisId: axis_id, id, isInUse: in_use };
  return found;
}
