import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../day.ts';

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

/**
 * Keeps the events of all days that are stored now from being dropped until the transaction ends, and returns the first of
 * these days; null if none were ever dropped.
 */
export async function lockKeptDays(tx: Transaction): Promise<Day | null> {
  // Dropping events takes an exclusive lock. A statement of its own: the next one must see what was committed meanwhile.
  tx.queue(
    statement<never>(
      'lock_learning_events',
      'lock table only analytics.learning_events in row exclusive mode',
    ),
  );
  return findKeptSince(tx);
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
  const first = firstOfMonth(today);
  const second = firstOfNextMonth(first);
  return [first, second, firstOfNextMonth(second)];
}
