import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../postgres/database.ts';
import { isLockTimeout } from '../../../postgres/sqlstate.ts';
import { type Day, firstOfMonth, firstOfNextMonth } from '../../day.ts';
import type { AnalyticsEngine } from '../engine.ts';
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

/**
 * Drops raw events of all brands from before the month of `before`: call it until `isDone`. A month is declared dropped in one
 * short transaction, and its rows follow in batches, because nothing reads them any more [D117]. It stays while a day of it is
 * dirty or was never aggregated. A step is complete or has no effect.
 * @throws EventsInUse if the events cannot be locked for a minute; the reason of `signal`
 */
export async function dropEvents(
  database: Database,
  engine: AnalyticsEngine,
  before: Day,
  signal: AbortSignal | undefined,
): Promise<DroppedEvents> {
  const claims = await database.transaction((tx) => deleteDroppedClaims(tx, claimBatch));
  const hadEvents = await engine.deleteDroppedEvents();
  if (claims > 0 || hadEvents) return { events: claims, isDone: false, heldBackBy: null };

  const firstKept = firstOfMonth(before);
  const oldest = await engine.findOldestEventDay(firstKept);
  if (oldest === null) return { events: 0, isDone: true, heldBackBy: null };
  const nextMonth = firstOfNextMonth(oldest);
  const limit = nextMonth < firstKept ? nextMonth : firstKept;
  const heldBackBy = await engine.findOpenEventDay({ from: firstOfMonth(oldest), before: limit });
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
