import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import { differs } from './difference-sql.ts';
import { isDisputed } from './disputed-level-sql.ts';

/**
 * Compares the columns that stock levels copy from their product or variant and from their location with the
 * originals; see `isDisputed`.
 */
export async function findLevelCopyDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'level_copy_differences',
      `select l.id::text as key, t.sku || ' @ ' || t.location_code as id, f.field, f.stored, f.actual,
         not ${isDisputed} as is_repairable
       from stock_levels l
       join products p on p.brand_id = l.brand_id and p.id = l.product_id
       join stock_locations o on o.brand_id = l.brand_id and o.id = l.location_id
       left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
       cross join lateral (
         select coalesce(v.sku, p.sku) as sku, o.external_code as location_code, v.deleted_at is not null as is_hidden
       ) as t
       cross join lateral (values
         ('sku', l.sku, t.sku),
         ('location_code', l.location_code, t.location_code),
         ('is_hidden', l.is_hidden::text, t.is_hidden::text)
       ) as f (field, stored, actual)
       where l.brand_id = $1 and l.id > $2 and l.id <= $3 and ${differs}
       order by l.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
