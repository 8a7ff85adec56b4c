import type { Transaction } from '../../postgres/transaction.ts';
import { lockDatasets } from './coordination/aggregation-lock.ts';
import { markDays } from './coordination/brand-day-store.ts';
import { lockKeptDays } from './coordination/event-retention-store.ts';
import { moveDaysUnderLock } from './coordination/move-days.ts';
import type { AnalyticsEngine } from './engine.ts';
import type { AppendResult, LearningEvent } from './learning-event.ts';

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
  const keptSince = await lockKeptDays(tx);
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
 * aggregation. The other datasets keep their values and no day is marked [analytics-32] [D23]. Returns what remains to be done
 * after the commit; null: nothing.
 */
export async function eraseLearner(
  tx: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { learnerId, movesDays, at }: Erasure,
): Promise<(() => Promise<void>) | null> {
  await lockDatasets(tx, brandId);
  const subjects = { kind: 'learner', ids: [learnerId] } as const;
  if (movesDays) await moveDaysUnderLock(tx, engine, brandId, { subjects, at });
  return engine.eraseLearner(tx, brandId, learnerId);
}
