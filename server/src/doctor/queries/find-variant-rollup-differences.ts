import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import { differs, figures, truthOf } from './difference-sql.ts';

const columns = [
  'live_variants',
  'active_variants',
  'inheriting_variants',
  'own_price_min',
  'own_price_max',
] as const;

/**
 * Compares the stored variant rollups of products with their variants. (A constraint guards `has_variants`.)
 */
export async function findVariantRollupDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'variant_rollup_differences',
      `select p.id::text as key, p.tu_id as id, f.field, f.stored, f.actual, true as is_repairable
       from products p
       ${truthOf('product_variant_truth', columns)}
       ${figures(columns, 'p', 't')}
       where p.brand_id = $1 and p.id > $2 and p.id <= $3 and ${differs}
       order by p.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
