import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../postgres/database.ts';
import { isLockTimeout } from '../../../postgres/sqlstate.ts';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../day.ts';
import type { DroppedEvents } from '../learning-event.ts';
import { deleteDroppedClaims, dropEventsBefore, findKeptSince } from './event-retention-store.ts';

const claimBatch = 5_000;
/** Attempts to lock the events, which wait half a second each, and the time between them. */
const lockAttempts = 20;
const betweenAttemptsMs = 3_000;

/** Other transactions read or add events all the time, so the events could not be locked. */
class EventsInUse extends Error {
  constructor() {
    super('Learning events are in use by long transactions: no month could be dropped. Try again later.');
    this.name = 'EventsInUse';
  }
}

/** The part of dropping events that concerns the events themselves. */
export interface StoredEvents {
  /** Deletes some events of days that are declared dropped; returns false if there are none. */
  deleteDropped(): Promise<boolean>;
  /** Returns the oldest day before `day` that has events of any brand; null if there is none. */
  findOldestDay(day: Day): Promise<Day | null>;
  /** Returns the first day for which the events of `range` cannot be dropped yet; null if there is none. */
  findOpenDay(range: { readonly from: Day; readonly before: Day }): Promise<Day | null>;
}

/**
 * See `AnalyticsStore.dropEvents`. First finishes what an earlier call has begun. A month is declared dropped in one short
 * transaction; its rows follow in batches, because nothing reads them any more [D117].
 * @throws EventsInUse
 */
export async function dropEvents(
  database: Database,
  events: StoredEvents,
  before: Day,
  signal: AbortSignal | undefined,
): Promise<DroppedEvents> {
  const claims = await database.transaction((tx) => deleteDroppedClaims(tx, claimBatch));
  const hadEvents = await events.deleteDropped();
  if (claims > 0 || hadEvents) return { events: claims, isDone: false, heldBackBy: null };

  const firstKept = firstOfMonth(before);
  const oldest = await events.findOldestDay(firstKept);
  if (oldest === null) return { events: 0, isDone: true, heldBackBy: null };
  const nextMonth = firstOfNextMonth(oldest);
  const limit = nextMonth < firstKept ? nextMonth : firstKept;
  const heldBackBy = await events.findOpenDay({ from: firstOfMonth(oldest), before: limit });
  if (heldBackBy !== null) return { events: 0, isDone: true, heldBackBy };
  await dropWhenUnused(database, limit, signal);
  return { events: 0, isDone: false, heldBackBy: null };
}

async function dropWhenUnused(
  database: Database,
  limit: Day,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.transaction((tx) => dropEventsBefore(tx, limit));
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === lockAttempts) throw new EventsInUse();
    }
    await sleep(betweenAttemptsMs, undefined, { signal });
    // Another process may have dropped the month meanwhile.
    const keptSince = await findKeptSince(database);
    if (keptSince !== null && keptSince >= limit) return;
  }
}
