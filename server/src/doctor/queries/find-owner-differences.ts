import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';

/**
 * Compares the owners of stock movements with those of their levels. Never repairable: either may be wrong.
 */
export async function findMovementOwnerDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'movement_owner_differences',
      `select m.id::text as key, m.sku || ' @ ' || m.location_code || ' movement ' || m.id as id, f.field, f.stored, f.actual,
         false as is_repairable
       from stock_movements m
       join stock_levels l on l.brand_id = m.brand_id and l.id = m.level_id
       cross join lateral (values
         ('product_id', m.product_id, l.product_id), ('variant_id', m.variant_id, l.variant_id)
       ) as f (field, stored, actual)
       where m.brand_id = $1 and m.id > $2 and m.id <= $3 and f.stored is distinct from f.actual
       order by m.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}

/** Finds levels whose variant belongs to another product. */
export async function findLevelOwnerDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'level_owner_differences',
      `select l.id::text as key, l.sku || ' @ ' || l.location_code as id, 'product_id' as field,
         l.product_id::text as stored, v.product_id::text as actual, false as is_repairable
       from stock_levels l
       join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
       where l.brand_id = $1 and l.id > $2 and l.id <= $3 and v.product_id <> l.product_id
       order by l.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
