import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';
import { differs } from './difference-sql.ts';

/**
 * Compares levels with their ledgers: the quantity of a level is the sum of its movements and the last one's
 * result, and each movement begins with the result of the previous one (the first with 0). It is unknown
 * which side is right, so nothing is repairable. Only the first break of a chain is reported.
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
