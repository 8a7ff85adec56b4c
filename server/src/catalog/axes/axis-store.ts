import type { InBrand } from '../../api/brand-lock.ts';
import type { Page } from '../../api/pagination.ts';
import { takeTurn } from '../../lib/loop-turns.ts';
import { mapInStretches } from '../../lib/map-in-stretches.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { CatalogLock } from '../brand-catalog-store.ts';
import type { Axis, AxisFields, AxisValue, EntriesBefore } from './axis.ts';

/** A stored axis or value. */
interface Stored {
  readonly id: number;
}

export type StoredAxis = Axis & Stored;
export type StoredAxisValue = AxisValue & Stored;

interface EntryUse extends Stored {
  /** A product selects the axis or value, or a live variant has it. */
  readonly isInUse: boolean;
}

/** An axis with its values. In JSON, timestamps are strings. */
interface AxisRow extends Omit<StoredAxis, 'values'> {
  readonly values: readonly (Omit<AxisValue, 'createdAt' | 'updatedAt'> & {
    readonly createdAt: string;
    readonly updatedAt: string;
  })[];
}

const entryColumns = (
  alias: string,
) => `${alias}.id, ${alias}.label, ${alias}.position, ${alias}.is_active as "isActive",
  ${alias}.created_at as "createdAt", ${alias}.updated_at as "updatedAt"`;

const axisColumns = `a.code, ${entryColumns('a')}, (
    select coalesce(json_agg(json_build_object(
      'value', w.value, 'label', w.label, 'position', w.position, 'isActive', w.is_active,
      'createdAt', w.created_at, 'updatedAt', w.updated_at
    ) order by w.position, w.value), '[]')
    from axis_values w
    where w.brand_id = a.brand_id and w.axis_id = a.id
  ) as values`;

function axisOf({ values, ...axis }: AxisRow): StoredAxis {
  return {
    ...axis,
    values: values.map(axisValueOf),
  };
}

function axisValueOf({ createdAt, updatedAt, ...value }: AxisRow['values'][number]): AxisValue {
  return { ...value, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

/**
 * Returns one page of a brand's axes by position and code, each with all of its values, and how many axes match: two
 * statements, regardless of the number of rows. A library has few axes, so they are counted and sorted as they are
 * read. Its values may be many, so the page does not use the shared connection.
 */
export async function listAxes(
  database: Database,
  brandId: number,
  isActive: boolean | undefined,
  page: Page,
): Promise<{ rows: Axis[]; total: number }> {
  const values = [brandId, isActive ?? null];
  const matches = 'a.brand_id = $1 and ($2::boolean is null or a.is_active = $2)';
  const [rows, totals] = await Promise.all([
    database.run(
      statement<AxisRow>(
        'list_axes',
        `select ${axisColumns} from axes a where ${matches} order by a.position, a.code limit $3 offset $4`,
        [...values, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_axes',
        `select count(*) as total from axes a where ${matches}`,
        values,
      ),
    ),
  ]);
  const axes: Axis[] = [];
  for (const { values: stored, ...axis } of rows)
    axes.push({ ...axis, values: await mapInStretches(stored, axisValueOf, () => takeTurn(brandId)) });
  return { rows: axes, total: totals[0]?.total ?? 0 };
}

/** Reads an axis with its values; null if the brand has no such code. */
export async function findAxis({ tx, brandId }: CatalogLock, code: string): Promise<StoredAxis | null> {
  const [row] = await tx.run(
    statement<AxisRow>(
      'find_axis',
      `select ${axisColumns} from axes a where a.brand_id = $1 and a.code = $2`,
      [brandId, code],
    ),
  );
  return row === undefined ? null : axisOf(row);
}

/** Reads a value of an axis; null if there is none. */
export async function findAxisValue(
  { tx, brandId }: CatalogLock,
  { code, value }: { readonly code: string; readonly value: string },
): Promise<StoredAxisValue | null> {
  const [row] = await tx.run(
    statement<StoredAxisValue>(
      'find_axis_value',
      `select w.value, ${entryColumns('w')}
       from axes a
       join axis_values w on w.brand_id = a.brand_id and w.value = $3 and w.axis_id = a.id
       where a.brand_id = $1 and a.code = $2`,
      [brandId, code, value],
    ),
  );
  return row ?? null;
}

/** The number of all values of a brand `$1`, which has some 50,000 at most: it reads an index. */
const libraryValues = '(select count(*) from axis_values where brand_id = $1) as "libraryValues"';

interface NewAxisRow extends EntriesBefore, Stored {
  readonly libraryValues: number;
}

/** Draws the id of a new axis, and reads what decides on it. */
export async function readNewAxis({ tx, brandId }: CatalogLock, code: string): Promise<NewAxisRow> {
  const [row] = await tx.run(
    statement<NewAxisRow>(
      'read_new_axis',
      `select nextval('axes_id_seq') as id, exists (select from axes where brand_id = $1 and code = $2) as "isTaken",
         (select coalesce(max(position), -1) from axes where brand_id = $1) as "lastPosition", ${libraryValues}`,
      [brandId, code],
    ),
  );
  return row as NewAxisRow;
}

/** Reads what decides on a new value of an axis, whose id is `id`; null if the brand has no such axis. */
export async function readNewAxisValue(
  { tx, brandId }: CatalogLock,
  { code, value }: { readonly code: string; readonly value: string },
): Promise<(NewAxisRow & { readonly axisValues: number }) | null> {
  const [row] = await tx.run(
    statement<NewAxisRow & { readonly axisValues: number }>(
      'read_new_axis_value',
      `select a.id,
         exists (select from axis_values w where w.brand_id = $1 and w.value = $3 and w.axis_id = a.id) as "isTaken",
         n."axisValues", n."lastPosition", ${libraryValues}
       from axes a
       cross join lateral (
         select count(*) as "axisValues", coalesce(max(w.position), -1) as "lastPosition"
         from axis_values w where w.brand_id = $1 and w.axis_id = a.id
       ) as n
       where a.brand_id = $1 and a.code = $2`,
      [brandId, code, value],
    ),
  );
  return row ?? null;
}

/** Reads whether an axis is in use; null if the brand has no such code. */
export async function readAxisUse({ tx, brandId }: CatalogLock, code: string): Promise<EntryUse | null> {
  const [row] = await tx.run(
    statement<EntryUse>(
      'read_axis_use',
      // "min" reads the index; the plan for "exists" expects an early match, and scans the table if there is none.
      `select a.id,
         (select min(x.product_id) from product_axes x where x.brand_id = $1 and x.axis_id = a.id) is not null
         or exists (
           select from axis_values w
           where w.brand_id = $1 and w.axis_id = a.id and exists (
             select from variant_axis_values x where x.brand_id = $1 and x.value_id = w.id and x.axis_id = a.id
           )
         ) as "isInUse"
       from axes a
       where a.brand_id = $1 and a.code = $2`,
      [brandId, code],
    ),
  );
  return row ?? null;
}

/** Reads whether a value is in use; null if there is none. */
export async function readValueUse(
  { tx, brandId }: CatalogLock,
  { code, value }: { readonly code: string; readonly value: string },
): Promise<EntryUse | null> {
  const [row] = await tx.run(
    statement<EntryUse>(
      'read_value_use',
      `select w.id, exists (
           select from product_axis_values x where x.brand_id = $1 and x.axis_id = a.id and x.value_id = w.id
         ) or exists (
           select from variant_axis_values x where x.brand_id = $1 and x.axis_id = a.id and x.value_id = w.id
         ) as "isInUse"
       from axes a
       join axis_values w on w.brand_id = a.brand_id and w.value = $3 and w.axis_id = a.id
       where a.brand_id = $1 and a.code = $2`,
      [brandId, code, value],
    ),
  );
  return row ?? null;
}

// The functions below queue what they write; it is sent with the commit.

/** Inserts an axis with a drawn id, and its values. */
export function insertAxis({ tx, brandId }: CatalogLock, axis: StoredAxis): void {
  const { id, code, label, position, createdAt, values } = axis;
  tx.queue(
    statement<never>(
      'insert_axis',
      `insert into axes (brand_id, id, code, label, position, created_at, updated_at) overriding system value
       values ($1, $2, $3, $4, $5, $6, $6)`,
      [brandId, id, code, label, position, createdAt],
    ),
  );
  if (values.length > 0) insertAxisValues({ tx, brandId }, id, values);
}

/** Inserts values that were created together. */
export function insertAxisValues(
  { tx, brandId }: InBrand,
  axisId: number,
  values: readonly AxisValue[],
): void {
  tx.queue(
    statement<never>(
      'insert_axis_values',
      `insert into axis_values (brand_id, axis_id, value, label, position, created_at, updated_at)
       select $1, $2, g.value, g.label, g.position, $3, $3
       from unnest($4::text[], $5::text[], $6::integer[]) as g (value, label, position)`,
      [
        brandId,
        axisId,
        values[0]?.createdAt,
        values.map(({ value }) => value),
        values.map(({ label }) => label),
        values.map(({ position }) => position),
      ],
    ),
  );
}

type EntryTable = 'axes' | 'axis_values';

/** Writes the fields and `updated_at` of an axis or a value. */
export function updateEntry(
  { tx, brandId }: CatalogLock,
  table: EntryTable,
  { id, label, position, isActive, updatedAt }: AxisFields & Stored & { readonly updatedAt: Date },
): void {
  tx.queue(
    statement<never>(
      `update_${table}`,
      `update ${table} set label = $3, position = $4, is_active = $5, updated_at = $6 where brand_id = $1 and id = $2`,
      [brandId, id, label, position, isActive, updatedAt],
    ),
  );
}

/** Deletes an axis with its values, or a value. Breaks a foreign key while it is in use. */
export function deleteEntry({ tx, brandId }: CatalogLock, table: EntryTable, id: number): void {
  tx.queue(
    statement<never>(`delete_${table}`, `delete from ${table} where brand_id = $1 and id = $2`, [
      brandId,
      id,
    ]),
  );
}
