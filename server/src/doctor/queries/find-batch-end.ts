import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** A table that is scanned in key order within one brand. */
export interface Scan {
  readonly table:
    | 'products'
    | 'variants'
    | 'axis_values'
    | 'product_axes'
    | 'product_axis_values'
    | 'variant_axis_values'
    | 'stock_levels'
    | 'stock_movements'
    | 'product_stock'
    | 'stock_feeds'
    | 'stock_feed_packs'
    | 'points_of_sale'
    | 'learners'
    | 'sku_claims'
    | 'brands';
  /** The leading column of an index after the brand. If it is not unique, a batch includes all rows of its last key. */
  readonly key: 'id' | 'sku' | 'product_id' | 'variant_id' | 'feed_id';
  /** A value below every key, as a string. */
  readonly first: string;
  readonly batchSize: number;
}

export const productScan: Scan = { table: 'products', key: 'id', first: '0', batchSize: 2_000 };
export const variantScan: Scan = { table: 'variants', key: 'id', first: '0', batchSize: 2_000 };
export const movementScan: Scan = { table: 'stock_movements', key: 'id', first: '0', batchSize: 20_000 };
export const levelScan: Scan = { table: 'stock_levels', key: 'id', first: '0', batchSize: 2_000 };
/** A feed has up to 100,000 lines. */
export const feedScan: Scan = { table: 'stock_feeds', key: 'id', first: '0', batchSize: 20 };
export const claimScan: Scan = { table: 'sku_claims', key: 'sku', first: '', batchSize: 10_000 };
/** The brand's own row: one batch of one row. */
export const brandScan: Scan = { table: 'brands', key: 'id', first: '0', batchSize: 1 };

/** The last key of the batch that begins after `after`; null if none remains. */
export async function findBatchEnd(
  database: Database,
  brandId: number,
  { table, key, batchSize }: Scan,
  after: string,
): Promise<string | null> {
  const type = key === 'sku' ? 'text' : 'bigint';
  const ofBrand = table === 'brands' ? 'id = $1' : 'brand_id = $1';
  const rows = await database.run(
    statement<{ key: string | null }>(
      `find_batch_end/${table}/${key}`,
      `select max(t.${key})::text as key from (
         select ${key} from ${table} where ${ofBrand} and ${key} > $2::${type} order by ${key} limit $3
       ) as t`,
      [brandId, after, batchSize],
      { long: true },
    ),
  );
  return rows[0]?.key ?? null;
}
