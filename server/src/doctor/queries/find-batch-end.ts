import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** A table to be gone through in the order of its key, within one brand. */
export interface Scan {
  readonly table: 'products' | 'stock_levels' | 'stock_feeds' | 'sku_claims' | 'brands';
  readonly key: 'id' | 'sku';
  /** Below every key, as text. */
  readonly first: string;
  readonly batchSize: number;
}

export const productScan: Scan = { table: 'products', key: 'id', first: '0', batchSize: 2_000 };
export const levelScan: Scan = { table: 'stock_levels', key: 'id', first: '0', batchSize: 2_000 };
/** A feed has up to 100,000 lines. */
export const feedScan: Scan = { table: 'stock_feeds', key: 'id', first: '0', batchSize: 20 };
export const claimScan: Scan = { table: 'sku_claims', key: 'sku', first: '', batchSize: 10_000 };
/** The brand itself: one batch of one row. */
export const brandScan: Scan = { table: 'brands', key: 'id', first: '0', batchSize: 1 };

/** The last key of the batch that begins after `after`; null when there is nothing left. */
export async function findBatchEnd(
  database: Database,
  brandId: number,
  { table, key, batchSize }: Scan,
  after: string,
): Promise<string | null> {
  const type = key === 'id' ? 'bigint' : 'text';
  const ofBrand = table === 'brands' ? 'id = $1' : 'brand_id = $1';
  const rows = await database.query(
    statement<{ key: string | null }>(
      `find_batch_end/${table}`,
      `select max(t.${key})::text as key from (
         select ${key} from ${table} where ${ofBrand} and ${key} > $2::${type} order by ${key} limit $3
       ) as t`,
      [brandId, after, batchSize],
    ),
  );
  return rows[0]?.key ?? null;
}
