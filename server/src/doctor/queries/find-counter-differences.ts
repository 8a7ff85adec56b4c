import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { DifferenceRow } from '../check.ts';
import { differs, figures } from './difference-sql.ts';

/**
 * The expected counters of a brand (`$1`). Counts the variants directly instead of reading the rollup, which another
 * check covers.
 */
export const countedProducts = `
  select count(*) as products_total,
    count(*) filter (where p.is_active) as products_active,
    count(*) filter (where p.has_variants) as products_with_variants,
    count(*) filter (where p.is_active and p.has_variants) as products_active_with_variants
  from (
    select p.is_active, exists (
      select 1 from variants v where v.brand_id = p.brand_id and v.product_id = p.id and v.deleted_at is null
    ) as has_variants
    from products p
    where p.brand_id = $1
  ) as p`;

const columns = [
  'products_total',
  'products_active',
  'products_with_variants',
  'products_active_with_variants',
] as const;

/**
 * Compares the brand's counters with its products. A brand whose catalog was never changed has none, which
 * means 0.
 */
export async function findCounterDifferences(database: Database, brandId: number): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'counter_differences',
      `select b.id::text as key, b.name as id, f.field, f.stored, f.actual, true as is_repairable
       from brands b
       cross join (${countedProducts}) as t
       left join brand_catalogs c on c.brand_id = b.id
       cross join lateral (
         select ${columns.map((column) => `coalesce(c.${column}, 0) as ${column}`).join(', ')}
       ) as s
       ${figures(columns, 's', 't')}
       where b.id = $1 and ${differs}`,
      [brandId],
      { long: true },
    ),
  );
}
