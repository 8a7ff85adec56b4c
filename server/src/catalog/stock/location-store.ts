import type { Page } from '../../api/pagination.ts';
import { Conditions } from '../../postgres/conditions.ts';
import type { Database } from '../../postgres/database.ts';
import { readPage } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';
import type { StockLock } from './brand-stock-store.ts';
import type { Location } from './location.ts';

/** The columns of a Location, from `stock_locations o`. */
const locationColumns = `o.brand_id as "brandId", o.id, o.external_code as "externalCode", o.name,
  o.is_active as "isActive", (
    select s.tu_id from points_of_sale s where s.brand_id = o.brand_id and s.location_id = o.id
  ) as "pointOfSaleTuId", o.created_at as "createdAt", o.updated_at as "updatedAt"`;

/** Returns one page of a brand's locations by external code, and how many match. A brand has few locations. */
export function listLocations(
  database: Database,
  brandId: number,
  isActive: boolean | undefined,
  page: Page,
): Promise<{ rows: Location[]; total: number }> {
  const matches = ['o.brand_id = $1', '($2::boolean is null or o.is_active = $2)'];
  const where = new Conditions(matches, [brandId, isActive ?? null]);
  const list = { name: 'stock_locations', columns: locationColumns, from: 'stock_locations o', where };
  return readPage(database, { ...list, orderBy: 'o.external_code', long: false }, page);
}

/** Reads a location; null if the brand has no such code. */
export async function findLocation(
  { tx, brandId }: StockLock,
  externalCode: string,
): Promise<Location | null> {
  const [row] = await tx.run(
    statement<Location>(
      'find_stock_location',
      `select ${locationColumns} from stock_locations o where o.brand_id = $1 and o.external_code = $2`,
      [brandId, externalCode],
    ),
  );
  return row ?? null;
}

/** Draws the id of a new location, and reads whether the brand has its code. */
export async function readNewLocation(
  { tx, brandId }: StockLock,
  externalCode: string,
): Promise<{ readonly id: number; readonly isTaken: boolean }> {
  const [row] = await tx.run(
    statement<{ id: number; isTaken: boolean }>(
      'read_new_stock_location',
      `select nextval('stock_locations_id_seq') as id, exists (
         select from stock_locations o where o.brand_id = $1 and o.external_code = $2
       ) as "isTaken"`,
      [brandId, externalCode],
    ),
  );
  return row as { id: number; isTaken: boolean };
}

/** Inserts a location with a drawn id. Sent with the next statement. */
export function insertLocation({ tx, brandId }: StockLock, location: Location): void {
  const { id, externalCode, name, isActive, createdAt } = location;
  tx.queue(
    statement<never>(
      'insert_stock_location',
      `insert into stock_locations (brand_id, id, external_code, name, is_active, created_at, updated_at)
         overriding system value
       values ($1, $2, $3, $4, $5, $6, $6)`,
      [brandId, id, externalCode, name, isActive, createdAt],
    ),
  );
}

/** Writes the fields and `updated_at` of a location. Sent with the next statement. */
export function updateLocation({ tx, brandId }: StockLock, location: Location): void {
  const { id, name, isActive, updatedAt } = location;
  tx.queue(
    statement<never>(
      'update_stock_location',
      'update stock_locations set name = $3, is_active = $4, updated_at = $5 where brand_id = $1 and id = $2',
      [brandId, id, name, isActive, updatedAt],
    ),
  );
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
