import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Axis } from './axis.ts';
import type { PlaceInLibrary } from './axis-rules.ts';
import { type AxisViewRow, axisFromViewRow, axisViewColumns } from './queries/axis-view.ts';

/** The name of an axis of a brand. */
export interface AxisName {
  readonly brandId: number;
  readonly code: string;
}

export interface StoredAxis extends Axis {
  readonly brandId: number;
  readonly id: number;
}

/** The row of a name, whether the library has the name or not. */
const axisNames = 'json_to_recordset($1::json) as g (n integer, brand_id integer, code text)';

const given = (names: readonly AxisName[]) =>
  JSON.stringify(names.map(({ brandId, code }, n) => ({ n, brand_id: brandId, code })));

/** Reads what creations of axes need, in their order, in one statement: the place, and the id of the new axis. */
export async function readAxisPlaces(
  tx: Transaction,
  names: readonly AxisName[],
): Promise<(PlaceInLibrary & { readonly id: number })[]> {
  const rows = await tx.run(
    statement<{ id: number; is_taken: boolean; last_position: number }>(
      'read_axis_places',
      `select nextval('axes_id_seq') as id,
         exists (select from axes a where a.brand_id = g.brand_id and a.code = g.code offset 0) as is_taken,
         (select coalesce(max(a.position), -1) from axes a where a.brand_id = g.brand_id) as last_position
       from ${axisNames} order by g.n`,
      [given(names)],
    ),
  );
  return rows.map(({ id, is_taken, last_position }) => {
    return { id, isTaken: is_taken, lastPosition: last_position };
  });
}

/** Reads axes with their values, in the order of their names, in one statement; null where the brand has no such code. */
export async function findAxes(tx: Transaction, names: readonly AxisName[]): Promise<(StoredAxis | null)[]> {
  const rows = await tx.run(
    statement<AxisViewRow & { n: number; id: number }>(
      'find_axes',
      `select g.n, a.* from ${axisNames}
       cross join lateral (
         select a.id, ${axisViewColumns} from axes a where a.brand_id = g.brand_id and a.code = g.code
         offset 0
       ) a`,
      [given(names)],
    ),
  );
  const found: (StoredAxis | null)[] = names.map(() => null);
  for (const row of rows) {
    const { brandId } = names[row.n] as AxisName;
    found[row.n] = { brandId, id: row.id, ...axisFromViewRow(row) };
  }
  return found;
}

/** An axis or a value of a brand, and whether a product or a live variant uses it. */
export interface EntryUse {
  readonly brandId: number;
  readonly id: number;
  readonly isInUse: boolean;
}

/**
 * Reads which axes a product has attached, or a live variant carries a value of, in the order of their names, in one
 * statement; null where the brand has no such code.
 */
export async function readAxisUses(
  tx: Transaction,
  names: readonly AxisName[],
): Promise<(EntryUse | null)[]> {
  const rows = await tx.run(
    statement<{ n: number; id: number; in_use: boolean }>(
      'read_axis_uses',
      // "min" reads the index; the plan for "exists" expects an early match, and scans the table if there is none.
      `select g.n, a.id,
         (select min(x.product_id) from product_axes x where x.brand_id = g.brand_id and x.axis_id = a.id) is not null
         or exists (
           select from axis_values w
           where w.brand_id = g.brand_id and w.axis_id = a.id and exists (
             select from variant_axis_values x
             where x.brand_id = g.brand_id and x.value_id = w.id and x.axis_id = a.id
             offset 0
           )
         ) as in_use
       from ${axisNames}
       cross join lateral (
         select a.id from axes a where a.brand_id = g.brand_id and a.code = g.code
         offset 0
       ) a`,
      [given(names)],
    ),
  );
  const found: (EntryUse | null)[] = names.map(() => null);
  for (const { n, id, in_use } of rows)
    found[n] = { brandId: (names[n] as AxisName).brandId, id, isInUse: in_use };
  return found;
}
