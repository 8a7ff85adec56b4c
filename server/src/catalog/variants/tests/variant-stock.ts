import type { TestDatabase } from '../../../../test/support/test-database.ts';
import { lockStock } from '../../stock/brand-stock-store.ts';
import { refreshProductStock } from '../../stock/product-stock-store.ts';

export interface Level {
  readonly sku: string;
  readonly location: string;
  readonly quantity: number;
  readonly reserved?: number;
  /** The time at which a feed wrote it; absent: an adjustment wrote it, now. */
  readonly fedAt?: Date;
}

/** Creates a location of the brand. */
export async function newLocation(
  { sql }: Pick<TestDatabase, 'sql'>,
  brandId: number,
  code: string,
  isActive = true,
): Promise<void> {
  await sql(
    'insert into stock_locations (brand_id, external_code, name, is_active) values ($1, $2, $2, $3)',
    [brandId, code, isActive],
  );
}

/** Gives the product or variant of a SKU a level at a location, and updates the product's rollup. */
export async function putLevel(
  { sql, database }: Pick<TestDatabase, 'sql' | 'database'>,
  brandId: number,
  { sku, location, quantity, reserved = 0, fedAt }: Level,
): Promise<void> {
  const [row] = await sql<{ product_id: number }>(
    `insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity, reserved,
       source_updated_at, is_from_feed)
     select c.brand_id, coalesce(v.product_id, p.id), v.id, l.id, c.sku, l.external_code, $4, $5,
       coalesce($6, now()), $6::timestamptz is not null
     from sku_claims c
     join stock_locations l on l.brand_id = c.brand_id and l.external_code = $3
     left join variants v on v.brand_id = c.brand_id and v.sku = c.sku
     left join products p on p.brand_id = c.brand_id and p.sku = c.sku
     where c.brand_id = $1 and c.sku = $2
     returning product_id`,
    [brandId, sku, location, quantity, reserved, fedAt ?? null],
  );
  if (row === undefined) throw new Error(`no level for ${sku}`);
  const ids = [Number(row.product_id)];
  await database.transaction(async (tx) => {
    refreshProductStock(await lockStock(tx, brandId), ids);
  });
}
