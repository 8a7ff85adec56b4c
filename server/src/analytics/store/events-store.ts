import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../postgres/database.ts';
import { isLockTimeout } from '../../postgres/database-errors.ts';
import { deleteRows } from '../../postgres/row-set.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Day, firstOfMonth, firstOfNextMonth } from '../day.ts';
import { lockDatasets, markDays } from './days-store.ts';
import type { AnalyticsEngine, ErasedCounts, LearningEvent } from './engine.ts';
import { moveDaysUnderLock } from './revisions-store.ts';
import { StoreMismatch } from './store-databases.ts';

interface AppendResult {
  readonly accepted: number;
  /** Events whose `eventId` was already stored for the brand or occurred earlier in the same call. */
  readonly duplicates: number;
  /**
   * The first day whose raw events are kept; null if none were dropped. Events of earlier days are not stored, nor counted
   * here.
   */
  readonly keptSince: Day | null;
}

interface DroppedEvents {
  readonly events: number;
  /** True if nothing more can be dropped now. */
  readonly isDone: boolean;
  /** The first day that kept a month from being dropped, because its last aggregation lacks events of it. */
  readonly heldBackBy: Day | null;
}

/** The first day whose raw events are still stored; null if none were ever dropped [D117]. */
export async function findKeptSince(database: Queryable): Promise<Day | null> {
  const rows = await database.run(
    statement<{ day: Day }>(
      'find_events_kept_since',
      `select to_char(kept_since, 'YYYY-MM-DD') as day from analytics.event_retention`,
    ),
  );
  return rows[0]?.day ?? null;
}

// Dropping events takes an exclusive lock. A new partition waits for those who add events, but not for readers, who may take
// hours.
const locks = {
  add: statement<never>(
    'lock_learning_events',
    'lock table only analytics.learning_events in row exclusive mode',
  ),
  read: statement<never>(
    'lock_learning_events_for_reading',
    'lock table only analytics.learning_events in access share mode',
  ),
};

/**
 * Keeps stored events from being dropped until the transaction ends, and returns the first of their days; null: none were ever
 * dropped.
 */
export async function lockKeptDays(tx: Transaction, purpose: keyof typeof locks): Promise<Day | null> {
  // A separate statement: the next one must see what was committed meanwhile.
  tx.queue(locks[purpose]);
  return findKeptSince(tx);
}

/**
 * Drops the events before the month of `day`, but stops before the first dirty day. Waits half a second at most for other
 * transactions.
 * @throws DatabaseError 55P03, with nothing changed
 */
async function dropEventsBefore(tx: Transaction, day: Day): Promise<void> {
  await tx.run(
    statement<never>('drop_events_before', 'select analytics.drop_events_before($1::date)', [day]),
  );
}

/** Deletes ids of events whose days were dropped, and returns their number: one for each event. */
function deleteDroppedClaims(tx: Transaction, limit: number): Promise<number> {
  const dropped = {
    name: 'delete_dropped_event_claims',
    table: 'analytics.event_claims',
    where: 'day < (select kept_since from analytics.event_retention)',
    orderBy: 'day',
    values: [],
  };
  return deleteRows(tx, dropped, limit);
}

/**
 * Stores the events whose `eventId` is new to the brand and marks their days: all of it, or none. A repeated `eventId` is a
 * duplicate. Any number of transactions may do so at once, also during an aggregation: the day stays marked unless the
 * aggregation included the events. Omits days whose raw events were dropped.
 */
export async function appendEvents(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<AppendResult> {
  const keptSince = await lockKeptDays(tx, 'add');
  const kept = keptSince === null ? events : events.filter(({ day }) => day >= keptSince);
  const added = await engine.appendEvents(tx, brandId, firstOfEachId(kept));
  await markDays(tx, brandId, added);
  const accepted = added.reduce((sum, day) => sum + day.added, 0);
  return { accepted, duplicates: kept.length - accepted, keptSince };
}

function firstOfEachId(events: readonly LearningEvent[]): readonly LearningEvent[] {
  const ids = new Set(events.map(({ eventId }) => eventId));
  if (ids.size === events.length) return events;
  // Deleted at its first occurrence, so that a repetition is not found.
  return events.filter(({ eventId }) => ids.delete(eventId));
}

export interface Erasure {
  readonly learnerId: number;
  /** True if the days of the rows get the next revision; false: they have moved since the rows were served. */
  readonly movesDays: boolean;
  readonly at: Date;
}

/**
 * Erases a learner's raw events and rows of `users` and `content_engagement`, for readers all at once. Waits for a running
 * aggregation. The other datasets keep their values and no day is marked [analytics-32] [D17].
 */
export async function eraseLearner(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { learnerId, movesDays, at }: Erasure,
): Promise<ErasedCounts> {
  await lockDatasets(tx, brandId);
  const subjects = { kind: 'learner', ids: [learnerId] } as const;
  if (movesDays) await moveDaysUnderLock(tx, engine, brandId, { subjects, at });
  return engine.eraseLearner(tx, brandId, learnerId);
}

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

/** The engine that may keep events and datasets outside of PostgreSQL, as messages and settings name it. */
export const engineNames = {
  engine: 'ClickHouse',
  setting: 'BRANDPORT_CLICKHOUSE_URL',
} as const;

/** Returns the id of the engine's database that has the events; null: they are in PostgreSQL. */
export async function findEngineStore(database: Queryable): Promise<string | null> {
  // Backups read databases whose migrations have not run.
  const [known] = await database.run(
    statement<{ known: boolean }>(
      'find_whether_engines_are_known',
      `select to_regclass('analytics.clickhouse_store') is not null as known`,
    ),
  );
  if (known?.known !== true) return null;
  const rows = await database.run(
    statement<{ storeId: string }>(
      'find_engine_store',
      'select store_id::text as "storeId" from analytics.clickhouse_store where has_events',
    ),
  );
  return rows[0]?.storeId ?? null;
}

/** @throws StoreMismatch if the events of the store are in an engine */
export async function requireEventsInPostgres(database: Queryable): Promise<void> {
  if ((await findEngineStore(database)) !== null)
    throw new StoreMismatch(
      `The events of this analytics store are in ${engineNames.engine}. Set ${engineNames.setting} to the address of its ` +
        'database.',
    );
}
