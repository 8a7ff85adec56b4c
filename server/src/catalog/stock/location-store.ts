import { insertRows, rowSet, updateRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { byPosition } from '../brand-set.ts';
import type { StockLock } from './brand-stock-store.ts';
import type { Location } from './location.ts';

/** The columns of a Location, from `stock_locations o`. */
export const locationColumns = `o.brand_id as "brandId", o.id, o.external_code as "externalCode", o.name,
  o.is_active as "isActive", (
    select s.tu_id from points_of_sale s where s.brand_id = o.brand_id and s.location_id = o.id
  ) as "pointOfSaleTuId", o.created_at as "createdAt", o.updated_at as "updatedAt"`;

/** Reads locations in the order of their codes; null where the brand has no such code. */
export async function findLocations(
  tx: Transaction,
  codes: readonly { readonly brandId: number; readonly externalCode: string }[],
): Promise<(Location | null)[]> {
  const given = codes.map(({ brandId, externalCode }, n) => ({ n, brand_id: brandId, code: externalCode }));
  const rows = await tx.run(
    statement<Location & { readonly n: number }>(
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
  return byPosition(codes.length, rows, ({ n: _, ...location }) => location);
}

const key = {
  brand_id: ['integer', ({ brandId }: Location) => brandId],
  id: ['bigint', ({ id }: Location) => id],
} as const;
const fields = {
  name: ['text', ({ name }: Location) => name],
  is_active: ['boolean', ({ isActive }: Location) => isActive],
  updated_at: ['timestamptz', ({ updatedAt }: Location) => updatedAt],
} as const;

const newLocations = rowSet<Location>({
  ...key,
  external_code: ['text', ({ externalCode }) => externalCode],
  ...fields,
  created_at: ['timestamptz', ({ createdAt }) => createdAt],
});

/** Inserts locations with drawn ids into brands whose stock is locked. Sent with the next statement. */
export function insertLocations(tx: Transaction, locations: readonly Location[]): void {
  insertRows(tx, 'stock_locations', newLocations, locations);
}

const changedLocations = rowSet<Location>({ ...key, ...fields });

/** Writes the fields and `updated_at` of locations; each occurs once. Sent with the next statement. */
export function updateLocations(tx: Transaction, locations: readonly Location[]): void {
  updateRows(tx, { table: 'stock_locations', key: ['brand_id', 'id'] }, changedLocations, locations);
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
