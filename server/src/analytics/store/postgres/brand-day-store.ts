import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';

/**
 * Marks days whose events changed, so that the next nightly run aggregates them (again). Call it in the transaction
 * that adds the events, and last: from here to the commit it holds up others that mark the same days. Days are locked in
 * ascending order.
 */
export async function markDays(tx: Transaction, brandId: number, days: readonly Day[]): Promise<void> {
  if (days.length === 0) return;
  await tx.run(
    statement<never>(
      'mark_analytics_days',
      `insert into analytics.brand_days as d (brand_id, day, changes)
       select $1, day, 1 from (select distinct unnest($2::date[]) as day) as marked order by day
       on conflict (brand_id, day) do update set changes = d.changes + 1`,
      [brandId, days],
    ),
  );
}
