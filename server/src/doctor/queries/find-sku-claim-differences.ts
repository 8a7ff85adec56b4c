import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import { differs } from './difference-sql.ts';

/**
 * Compares the owner of a SKU claim with the product or variant that has the SKU; a claim without an owner
 * has an actual kind of null. (Foreign keys ensure that every SKU has a claim.) Two owners of one SKU cannot
 * be repaired.
 */
export async function findSkuClaimDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'sku_claim_differences',
      `select c.sku as key, c.sku as id, f.field, f.stored, f.actual, p.id is null or v.id is null as is_repairable
       from sku_claims c
       left join products p on p.brand_id = c.brand_id and p.sku = c.sku
       left join variants v on v.brand_id = c.brand_id and v.sku = c.sku
       cross join lateral (values
         ('kind', c.kind, case when p.id is not null then 'product' when v.id is not null then 'variant' end),
         ('tu_id', c.tu_id, coalesce(p.tu_id, v.tu_id)),
         ('second_owner', null, case when p.id is not null then v.tu_id end)
       ) as f (field, stored, actual)
       where c.brand_id = $1 and c.sku > $2 and c.sku <= $3 and ${differs}
       order by c.sku`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
