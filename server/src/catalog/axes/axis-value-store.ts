import { statement } from '../../postgres/statement.ts';
import type { CatalogLock, CatalogWrite } from '../brand-catalog-store.ts';
import { type AxisFields, type AxisValue, maxPosition, type NewAxisValue } from './axis.ts';

/** A value of an axis as the transaction reads and locks it. */
export interface StoredAxisValue extends AxisValue {
  readonly axisId: number;
  readonly id: number;
}

interface AxisValueRow {
  axis_id: number;
  id: number;
  value: string;
  label: string | null;
  position: number;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = 'axis_id, id, value, label, position, is_active, created_at, updated_at';

function axisValueFromRow(row: AxisValueRow): StoredAxisValue {
  return {
    axisId: row.axis_id,
    id: row.id,
    value: row.value,
    label: row.label,
    position: row.position,
    isActive: row.is_active,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Inserts the values of an axis that the transaction has just created, in one statement. The values must be distinct.
 */
export async function insertAxisValues(
  { tx, brandId, stampedAt }: CatalogWrite,
  axisId: number,
  values: readonly (NewAxisValue & { readonly position: number })[],
): Promise<void> {
  await tx.run(
    statement<never>(
      'insert_axis_values',
      `insert into axis_values (brand_id, axis_id, value, label, position, created_at, updated_at)
       select $1, $2, n.value, n.label, n.position, $6, $6
       from unnest($3::text[], $4::text[], $5::integer[]) as n (value, label, position)`,
      [
        brandId,
        axisId,
        values.map(({ value }) => value),
        values.map(({ label }) => label),
        values.map(({ position }) => position),
        stampedAt,
      ],
    ),
  );
}

/**
 * Inserts a value into an axis; null when the axis already has it. The next free position stays free until the commit.
 */
export async function insertAxisValue(
  { tx, brandId, stampedAt }: CatalogWrite,
  axisId: number,
  { value, label, position }: NewAxisValue,
): Promise<AxisValue | null> {
  const rows = await tx.run(
    statement<AxisValueRow>(
      'insert_axis_value',
      `insert into axis_values (brand_id, axis_id, value, label, position, created_at, updated_at)
       values ($1, $2, $3, $4,
         coalesce($5::integer, (
           select least(coalesce(max(w.position), -1)::bigint + 1, $7)
           from axis_values w where w.brand_id = $1 and w.axis_id = $2)),
         $6, $6)
       on conflict (brand_id, axis_id, value) do nothing
       returning ${columns}`,
      [brandId, axisId, value, label, position, stampedAt, maxPosition],
    ),
  );
  return rows[0] === undefined ? null : axisValueFromRow(rows[0]);
}

/** Reads a value and locks it against changes and deletion until the transaction ends; null if there is none. */
export async function lockAxisValue(
  { tx, brandId }: CatalogLock,
  code: string,
  value: string,
): Promise<StoredAxisValue | null> {
  const rows = await tx.run(
    statement<AxisValueRow>(
      'lock_axis_value',
      `select ${columns} from axis_values
       where brand_id = $1 and value = $3
         and axis_id = (select a.id from axes a where a.brand_id = $1 and a.code = $2)
       for no key update`,
      [brandId, code, value],
    ),
  );
  return rows[0] === undefined ? null : axisValueFromRow(rows[0]);
}

/** Writes the fields of a locked value and moves its `updated_at`, never backwards. */
export async function updateAxisValue(
  { tx, brandId }: CatalogLock,
  { axisId, id }: StoredAxisValue,
  { label, position, isActive }: AxisFields,
): Promise<AxisValue> {
  const rows = await tx.run(
    statement<AxisValueRow>(
      'update_axis_value',
      `update axis_values
       set label = $4, position = $5, is_active = $6,
           updated_at = greatest(updated_at, now_ms())
       where brand_id = $1 and axis_id = $2 and id = $3
       returning ${columns}`,
      [brandId, axisId, id, label, position, isActive],
    ),
  );
  return axisValueFromRow(rows[0] as AxisValueRow);
}

/** Returns whether a product selects the value, or a live variant carries it. */
export async function isAxisValueInUse(
  { tx, brandId }: CatalogLock,
  { axisId, id }: StoredAxisValue,
): Promise<boolean> {
  const rows = await tx.run(
    statement<{ in_use: boolean }>(
      'is_axis_value_in_use',
      `select exists (
           select from product_axis_values where brand_id = $1 and axis_id = $2 and value_id = $3
         ) or exists (
           select from variant_axis_values where brand_id = $1 and axis_id = $2 and value_id = $3
         ) as in_use`,
      [brandId, axisId, id],
    ),
  );
  return rows[0]?.in_use === true;
}

/** Deletes a value. Breaks a foreign key when a product selects it or a live variant carries it. */
export async function deleteAxisValueRow(
  { tx, brandId }: CatalogLock,
  { axisId, id }: StoredAxisValue,
): Promise<void> {
  await tx.run(
    statement<never>(
      'delete_axis_value',
      'delete from axis_values where brand_id = $1 and axis_id = $2 and id = $3',
      [brandId, axisId, id],
    ),
  );
}
