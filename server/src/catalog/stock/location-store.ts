import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { StockLock } from './brand-stock-store.ts';
import type { Location } from './location.ts';

export interface LocationRow {
  readonly brand_id: number;
  readonly id: number;
  readonly external_code: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly pointofsale_tu_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The columns of a LocationRow, from `stock_locations o`. */
export const locationColumns = `o.brand_id, o.id, o.external_code, o.name, o.is_active, (
    select s.tu_id from points_of_sale s where s.brand_id = o.brand_id and s.location_id = o.id
  ) as pointofsale_tu_id, o.created_at, o.updated_at`;

export function locationFromRow(row: LocationRow): Location {
  return {
    brandId: row.brand_id,
    id: row.id,
    externalCode: row.external_code,
    name: row.name,
    isActive: row.is_active,
    pointOfSaleTuId: row.pointofsale_tu_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Draws ids for new locations. */
export async function drawLocationIds(tx: Transaction, count: number): Promise<number[]> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'draw_location_ids',
      `select nextval('stock_locations_id_seq') as id from generate_series(1, $1::integer)`,
      [count],
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * Reads locations of any brands by their codes, in that order; null where the brand has no such code. Under the brand's
 * stock lock no other transaction creates or changes one.
 */
export async function findLocations(
  tx: Transaction,
  codes: readonly { readonly brandId: number; readonly externalCode: string }[],
): Promise<(Location | null)[]> {
  const given = codes.map(({ brandId, externalCode }, n) => ({ n, brand_id: brandId, code: externalCode }));
  const rows = await tx.run(
    statement<LocationRow & { readonly n: number }>(
      'find_stock_locations',
      `select g.n, o.* from json_to_recordset($1::json) as g (n integer, brand_id integer, code text)
       cross join lateral (
         select ${locationColumns} from stock_locations o
         where o.brand_id = g.brand_id and o.external_code = g.code
         offset 0
       ) o`,
      [JSON.stringify(given)],
    ),
  );
  const found: (Location | null)[] = codes.map(() => null);
  for (const row of rows) found[row.n] = locationFromRow(row);
  return found;
}

/** Inserts locations with drawn ids into brands whose stock is locked. Sent with the next statement. */
export function insertLocations(tx: Transaction, locations: readonly Location[]): void {
  if (locations.length === 0) return;
  tx.queue(
    statement<never>(
      'insert_stock_locations',
      `insert into stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at)
       overriding system value
       select g.brand_id, g.id, g.external_code, g.name, g.is_active, g.created_at, g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, external_code text, name text,
         is_active boolean, created_at timestamptz, updated_at timestamptz)`,
      [JSON.stringify(locations.map(rowOf))],
    ),
  );
}

/** Writes the fields and `updated_at` of locations; each occurs once. Sent with the next statement. */
export function updateLocations(tx: Transaction, locations: readonly Location[]): void {
  if (locations.length === 0) return;
  tx.queue(
    statement<never>(
      'update_stock_locations',
      `update stock_locations o
       set name = g.name, is_active = g.is_active, updated_at = g.updated_at
       from json_to_recordset($1::json) as g (brand_id integer, id bigint, name text, is_active boolean,
         updated_at timestamptz)
       cross join lateral (
         select k.ctid as place from stock_locations k where k.brand_id = g.brand_id and k.id = g.id offset 0
       ) k
       where o.ctid = k.place`,
      [JSON.stringify(locations.map(rowOf))],
    ),
  );
}

function rowOf({ brandId, id, externalCode, name, isActive, createdAt, updatedAt }: Location) {
  return {
    ...{ brand_id: brandId, id, external_code: externalCode, name, is_active: isActive },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}

/** Returns the products that have a level at the location, themselves or by a live variant, by id. */
export async function listProductsAtLocation(
  { tx, brandId }: StockLock,
  locationId: number,
): Promise<number[]> {
  const rows = await tx.run(
    statement<{ ids: number[] }>(
      'list_products_at_location',
      `select coalesce(json_agg(distinct l.product_id), '[]') as ids
       from stock_locations o
       join stock_levels l on l.brand_id = o.brand_id and l.location_code = o.external_code and not l.is_hidden
       where o.brand_id = $1 and o.id = $2`,
      [brandId, locationId],
    ),
  );
  return rows[0]?.ids.sort((a, b) => a - b) ?? [];
}
