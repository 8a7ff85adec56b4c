import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { addDays, type Day } from '../../day.ts';

/** The first day whose raw events are still stored; null if none were ever dropped [D27]. */
export async function findKeptSince(database: Queryable): Promise<Day | null> {
  const rows = await database.run(
    statement<{ day: Day }>(
      'find_events_kept_since',
      `select to_char(kept_since, 'YYYY-MM-DD') as day from analytics.event_retention`,
    ),
  );
  return rows[0]?.day ?? null;
}

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
  const first = `${today.slice(0, 7)}-01`;
  const second = firstOfNextMonth(first);
  return [first, second, firstOfNextMonth(second)];
}

function firstOfNextMonth(first: Day): Day {
  return `${addDays(first, 31).slice(0, 7)}-01`;
}
