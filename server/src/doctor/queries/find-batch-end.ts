import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Scan } from '../invariants/scan.ts';

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
