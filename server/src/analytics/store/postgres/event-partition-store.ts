import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../day.ts';

/** Creates the partition of a day's month; returns false if it exists. */
export async function makeEventPartition(tx: Transaction, day: Day): Promise<boolean> {
  const rows = await tx.run(
    statement<{ made: boolean }>(
      'make_event_partition',
      'select analytics.make_event_partition($1::date) as made',
      [day],
    ),
  );
  return rows[0]?.made === true;
}

/** A day of each month that must have a partition: the month of `today` and the two after it. */
export function monthsAhead(today: Day): Day[] {
  const first = firstOfMonth(today);
  const second = firstOfNextMonth(first);
  return [first, second, firstOfNextMonth(second)];
}
