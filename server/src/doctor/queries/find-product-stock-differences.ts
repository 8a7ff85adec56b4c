import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import { differs, figures, truthOf } from './difference-sql.ts';
import { isDisputed } from './disputed-level-sql.ts';

const columns = [
  'total_quantity',
  'total_reserved',
  'own_levels',
  'own_counted_levels',
  'own_available',
  'own_fresh_at',
  'variant_levels',
  'variant_counted_levels',
  'variant_available',
  'variant_fresh_at',
] as const;

/**
 * Compares the stored stock of products with their levels; a missing row differs too. Not repairable while a
 * level of the product, currently or by its movements, is disputed.
 */
export async function findProductStockDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'product_stock_differences',
      `select p.id::text as key, p.tu_id as id, f.field, f.stored, f.actual, not exists (
           select from stock_levels l
           where l.brand_id = p.brand_id and (l.product_id = p.id or l.id in (
             select m.level_id from stock_movements m where m.brand_id = p.brand_id and m.product_id = p.id
           )) and ${isDisputed}
         ) and not exists (
           select from stock_movements m
           where m.brand_id = p.brand_id and m.product_id = p.id
             and not exists (select from stock_levels l where l.brand_id = m.brand_id and l.id = m.level_id)
         ) as is_repairable
       from products p
       ${truthOf('product_stock_truth', columns)}
       left join product_stock s on s.brand_id = p.brand_id and s.product_id = p.id
       ${figures(columns, 's', 't')}
       where p.brand_id = $1 and p.id > $2 and p.id <= $3 and ${differs}
       order by p.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
