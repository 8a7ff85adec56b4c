import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { DifferenceRow, Find } from '../invariants/invariant.ts';
import type { Batch, Scan } from '../invariants/scan.ts';

/** The id of the brand that follows `after`; null after the last one. */
export async function findNextBrand(database: Database, after: number): Promise<number | null> {
  const rows = await database.run(
    statement<{ id: number }>(
      'find_next_brand',
      'select id from brands where id > $1 order by id limit 1',
      [after],
      { long: true },
    ),
  );
  return rows[0]?.id ?? null;
}

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

export async function findDifferences(
  database: Database,
  name: string,
  { scan, sql }: Find,
  { brandId, after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  const values = scan.table === 'brands' ? [brandId] : [brandId, after, upTo];
  return database.run(statement<DifferenceRow>(`find_${name}`, sql, values, { long: true }));
}
