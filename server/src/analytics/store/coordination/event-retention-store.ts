import type { Queryable } from '../../../postgres/database.ts';
import { deleteRows } from '../../../postgres/delete-rows.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import type { Day } from '../../day.ts';

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
 * Keeps stored events from being dropped until the transaction ends, and returns the first of their days; null: none were ever
 * dropped.
 */
export async function lockKeptDays(tx: Transaction): Promise<Day | null> {
  // Dropping events takes an exclusive lock. A separate statement: the next one must see what was committed meanwhile.
  tx.queue(
    statement<never>(
      'lock_learning_events',
      'lock table only analytics.learning_events in row exclusive mode',
    ),
  );
  return findKeptSince(tx);
}

/**
 * Drops the events before the month of `day`, but stops before the first dirty day. Waits half a second at most for other
 * transactions.
 * @throws DatabaseError 55P03, with nothing changed
 */
export async function dropEventsBefore(tx: Transaction, day: Day): Promise<void> {
  await tx.run(
    statement<never>('drop_events_before', 'select analytics.drop_events_before($1::date)', [day]),
  );
}

/** Deletes ids of events whose days were dropped, and returns their number: one for each event. */
export function deleteDroppedClaims(tx: Transaction, limit: number): Promise<number> {
  const dropped = {
    name: 'delete_dropped_event_claims',
    table: 'analytics.event_claims',
    where: 'day < (select kept_since from analytics.event_retention)',
    orderBy: 'day',
    values: [],
  };
  return deleteRows(tx, dropped, limit);
}
