import { statement } from '../../postgres/statement.ts';
import type { CatalogLock, CatalogWrite } from '../brand-catalog-store.ts';
import { type AxisFields, maxPosition, type NewAxis } from './axis.ts';

/** An axis as the transaction reads and locks it. */
export interface StoredAxis extends AxisFields {
  readonly id: number;
}

interface AxisRow {
  id: number;
  label: string | null;
  position: number;
  is_active: boolean;
}

/**
 * Inserts an axis and returns its id; null when its code is taken. Waits for a transaction that is about to take the
 * same code. The next free position stays free until the commit.
 */
export async function insertAxis(
  { tx, brandId, stampedAt }: CatalogWrite,
  { code, label, position }: Omit<NewAxis, 'values'>,
): Promise<number | null> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'insert_axis',
      `insert into axes (brand_id, code, label, position, created_at, updated_at)
       values ($1, $2, $3,
         coalesce($4::integer,
           (select least(coalesce(max(a.position), -1)::bigint + 1, $6) from axes a where a.brand_id = $1)),
         $5, $5)
       on conflict (brand_id, code) do nothing
       returning id`,
      [brandId, code, label, position, stampedAt, maxPosition],
    ),
  );
  return rows[0]?.id ?? null;
}

/** Returns the id of an axis; null when the brand has no such code. */
export async function findAxisId({ tx, brandId }: CatalogLock, code: string): Promise<number | null> {
  const rows = await tx.run(
    statement<{ id: number }>('find_axis_id', 'select id from axes where brand_id = $1 and code = $2', [
      brandId,
      code,
    ]),
  );
  return rows[0]?.id ?? null;
}

/** Reads an axis and locks it against changes and deletion until the transaction ends; null if there is none. */
export async function lockAxis({ tx, brandId }: CatalogLock, code: string): Promise<StoredAxis | null> {
  const rows = await tx.run(
    statement<AxisRow>(
      'lock_axis',
      `select id, label, position, is_active from axes where brand_id = $1 and code = $2 for no key update`,
      [brandId, code],
    ),
  );
  const row = rows[0];
  return row === undefined
    ? null
    : { id: row.id, label: row.label, position: row.position, isActive: row.is_active };
}

/** Writes the fields of a locked axis and moves its `updated_at`, never backwards. */
export async function updateAxis(
  { tx, brandId }: CatalogLock,
  id: number,
  { label, position, isActive }: AxisFields,
): Promise<void> {
  await tx.run(
    statement<never>(
      'update_axis',
      `update axes
       set label = $3, position = $4, is_active = $5,
           updated_at = greatest(updated_at, now_ms())
       where brand_id = $1 and id = $2`,
      [brandId, id, label, position, isActive],
    ),
  );
}

/** Returns whether a product has the axis attached, or a live variant carries a value of it. */
export async function isAxisInUse({ tx, brandId }: CatalogLock, id: number): Promise<boolean> {
  const rows = await tx.run(
    statement<{ in_use: boolean }>(
      'is_axis_in_use',
      // "min" reads the index; the plan for "exists" expects an early match, and scans the table if there is none.
      `select (select min(product_id) from product_axes where brand_id = $1 and axis_id = $2) is not null
         or exists (
           select from axis_values w
           where w.brand_id = $1 and w.axis_id = $2 and exists (
             select from variant_axis_values x
             where x.brand_id = $1 and x.value_id = w.id and x.axis_id = $2
             offset 0
           )
         ) as in_use`,
      [brandId, id],
    ),
  );
  return rows[0]?.in_use === true;
}

/** Deletes an axis with its values. Breaks a foreign key when a product or a live variant uses one of them. */
export async function deleteAxisRow({ tx, brandId }: CatalogLock, id: number): Promise<void> {
  await tx.run(
    statement<never>('delete_axis', 'delete from axes where brand_id = $1 and id = $2', [brandId, id]),
  );
}
