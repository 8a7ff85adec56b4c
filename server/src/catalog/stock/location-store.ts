import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { StockLock } from './brand-stock-store.ts';
import { defaultLocationCode, defaultLocationName, type Location, type LocationFields } from './location.ts';

export interface LocationRow {
  readonly id: number;
  readonly external_code: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly pointofsale_tu_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The columns of a LocationRow, from `stock_locations o`. */
export const locationColumns = `o.id, o.external_code, o.name, o.is_active, (
    select s.tu_id from points_of_sale s where s.brand_id = o.brand_id and s.location_id = o.id
  ) as pointofsale_tu_id, o.created_at, o.updated_at`;

export function locationFromRow(row: LocationRow): Location {
  return {
    id: row.id,
    externalCode: row.external_code,
    name: row.name,
    isActive: row.is_active,
    pointOfSaleTuId: row.pointofsale_tu_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Inserts a location; null when the brand already has the code. Waits for another transaction that is about to insert
 * the same one, so that exactly one succeeds.
 */
export async function insertLocation(
  tx: Transaction,
  brandId: number,
  externalCode: string,
  { name, isActive }: LocationFields,
): Promise<Location | null> {
  const rows = await tx.run(
    statement<LocationRow>(
      'insert_stock_location',
      `with moment as (select now_ms() as now)
       insert into stock_locations as o (brand_id, external_code, name, is_active, created_at, updated_at)
       select $1, $2, $3, $4, now, now from moment
       on conflict (brand_id, external_code) do nothing
       returning ${locationColumns}`,
      [brandId, externalCode, name, isActive],
    ),
  );
  return rows[0] === undefined ? null : locationFromRow(rows[0]);
}

/** Creates the brand's default location and returns its id. The caller holds the brand's stock lock and found none. */
export async function createDefaultLocation({ tx, brandId }: StockLock): Promise<number> {
  const fields = { name: defaultLocationName, isActive: true };
  const location = await insertLocation(tx, brandId, defaultLocationCode, fields);
  if (location === null) throw new Error('the default location was created without the stock lock');
  return location.id;
}

/**
 * Reads a location; null when the brand has no such code. Under the brand's stock lock no other transaction changes it, nor
 * creates a level there.
 */
export async function findLocation(
  { tx, brandId }: StockLock,
  externalCode: string,
): Promise<Location | null> {
  const rows = await tx.run(
    statement<LocationRow>(
      'find_stock_location',
      `select ${locationColumns} from stock_locations o
       where o.brand_id = $1 and o.external_code = $2`,
      [brandId, externalCode],
    ),
  );
  return rows[0] === undefined ? null : locationFromRow(rows[0]);
}

/** Returns the products that have a level at the location, of their own or of a live variant, by id. */
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

/** Writes the fields of a location and moves its `updated_at`, never backwards. */
export async function updateLocation(
  { tx, brandId }: StockLock,
  id: number,
  { name, isActive }: LocationFields,
): Promise<Location> {
  const rows = await tx.run(
    statement<LocationRow>(
      'update_stock_location',
      `update stock_locations o
       set name = $3, is_active = $4,
         updated_at = greatest(o.updated_at, now_ms())
       where o.brand_id = $1 and o.id = $2
       returning ${locationColumns}`,
      [brandId, id, name, isActive],
    ),
  );
  return locationFromRow(rows[0] as LocationRow);
}
