import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import { differs } from './difference-sql.ts';

/**
 * What levels hold, beside their ledgers: the sum of a level's movements is its quantity, so is what the last one left,
 * and each begins with what the one before it left (the first with 0). Which side is right nobody can tell, so none of
 * it is repairable. Of a broken chain the first break is told.
 */
export async function findLedgerDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'ledger_differences',
      `select l.id::text as key, l.sku || ' @ ' || l.location_code as id, f.field, f.stored, f.actual,
         false as is_repairable
       from stock_levels l
       cross join lateral (
         select coalesce(sum(m.delta), 0) as total,
           coalesce((array_agg(m.quantity_after order by m.id desc))[1], 0) as last_after,
           (array_agg(m.quantity_before order by m.id) filter (where m.quantity_before <> m.left_before))[1]
             as break_before,
           (array_agg(m.left_before order by m.id) filter (where m.quantity_before <> m.left_before))[1]
             as break_left
         from (
           select m.id, m.quantity_before, m.quantity_after, m.delta,
             lag(m.quantity_after, 1, 0) over (order by m.id) as left_before
           from stock_movements m
           where m.brand_id = l.brand_id and m.level_id = l.id
         ) as m
       ) as g
       cross join lateral (values
         ('sum_of_movements', l.quantity::text, g.total::text),
         ('last_movement', l.quantity::text, g.last_after::text),
         ('chain_of_movements', g.break_before::text, g.break_left::text)
       ) as f (field, stored, actual)
       where l.brand_id = $1 and l.id > $2 and l.id <= $3 and ${differs}
       order by l.id`,
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
