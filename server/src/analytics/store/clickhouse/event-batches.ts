import type { Database } from '../../../postgres/database.ts';
import type { Transaction } from '../../../postgres/transaction.ts';
import { lockDatasets } from '../coordination/aggregation-lock.ts';
import { markDays } from '../coordination/brand-day-store.ts';
import { lockKeptDays } from '../coordination/event-retention-store.ts';
import { moveDaysUnderLock } from '../coordination/move-days.ts';
import type { AppendResult, LearningEvent } from '../learning-event.ts';
import type { ClickHouse } from './clickhouse.ts';
import { claimEvents, committedBatches, recordBatch } from './coordination/batch-store.ts';
import { deleteClaims, forgetLearner, hideLearner } from './coordination/hidden-learner-store.ts';
import { eventLines } from './event-lines.ts';
import { affectedDays } from './learner-days.ts';
import { integer } from './literals.ts';
import { eventColumns } from './schema.ts';

const columns = Object.keys(eventColumns);
/** Ids of events that are read and deleted at once. */
const claimChunk = 50_000;

/**
 * See `AnalyticsStore.appendEvents`. Claims the ids, inserts the events under the number of a batch, and records the batch and
 * the marks; one commit makes all of it count. A batch that was inserted without the commit is never counted, and deleted by the
 * upkeep.
 */
export async function appendEvents(
  tx: Transaction,
  clickHouse: ClickHouse,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<AppendResult> {
  const keptSince = await lockKeptDays(tx);
  const kept = keptSince === null ? events : events.filter(({ day }) => day >= keptSince);
  const distinct = firstOfEachId(kept);
  if (distinct.length === 0) return { accepted: 0, duplicates: kept.length, keptSince };
  const { batch, positions } = await claimEvents(tx, brandId, distinct);
  const added =
    positions === null ? distinct : positions.map((position) => distinct[position] as LearningEvent);
  if (added.length > 0) {
    await clickHouse.insert('learning_events', columns, eventLines(brandId, batch, added));
    const days = new Map<string, number>();
    for (const { day } of added) days.set(day, (days.get(day) ?? 0) + 1);
    await recordBatch(tx, brandId, batch, [...days.keys()]);
    await markDays(
      tx,
      brandId,
      [...days].map(([day, count]) => ({ day, added: count })),
    );
  }
  return { accepted: added.length, duplicates: kept.length - added.length, keptSince };
}

function firstOfEachId(events: readonly LearningEvent[]): readonly LearningEvent[] {
  const ids = new Set(events.map(({ eventId }) => eventId));
  if (ids.size === events.length) return events;
  // Deleted at its first occurrence, so that a repetition is not found.
  return events.filter(({ eventId }) => ids.delete(eventId));
}

/**
 * See `AnalyticsStore.eraseLearner`. One commit hides the learner, moves the revisions and deletes the claims; then the rows are
 * deleted in ClickHouse. Interrupted in between, the learner stays hidden, and a repetition or the upkeep
 * deletes the rows [D194].
 */
export async function eraseLearner(
  databases: { readonly writes: Database; readonly clickHouse: ClickHouse },
  brandId: number,
  learnerId: number,
  { movesDays, at }: { readonly movesDays: boolean; readonly at: Date },
): Promise<void> {
  const { writes, clickHouse } = databases;
  await writes.transaction(async (tx) => {
    await lockDatasets(tx, brandId);
    if (movesDays)
      await moveDaysUnderLock(
        tx,
        brandId,
        { kind: 'learner', ids: [learnerId] },
        { at, listAffectedDays: affectedDays(clickHouse) },
      );
    const ids = await listEventIds(clickHouse, await eventsOf(tx, brandId, learnerId));
    for (let start = 0; start < ids.length; start += claimChunk)
      await deleteClaims(tx, brandId, ids.slice(start, start + claimChunk));
    await hideLearner(tx, brandId, learnerId);
  });
  await deleteHiddenLearner(databases, brandId, learnerId);
}

/** Deletes the rows of a hidden learner, and then forgets that they were there. */
export async function deleteHiddenLearner(
  { writes, clickHouse }: { readonly writes: Database; readonly clickHouse: ClickHouse },
  brandId: number,
  learnerId: number,
): Promise<void> {
  const condition = `brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)}`;
  const events = await writes.transaction((tx) => eventsOf(tx, brandId, learnerId));
  await clickHouse.run(`delete from users where ${condition}`);
  await clickHouse.run(`delete from content_engagement where ${condition}`);
  await clickHouse.run(`delete from learning_events where ${events}`);
  await writes.transaction((tx) => forgetLearner(tx, brandId, learnerId));
}

/** The committed events of a learner. Those of a batch that is being stored have claims that nobody sees yet, so they stay. */
async function eventsOf(tx: Transaction, brandId: number, learnerId: number): Promise<string> {
  const isCommitted = await committedBatches(tx, brandId);
  return `brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)} and ${isCommitted}`;
}

async function listEventIds(clickHouse: ClickHouse, condition: string): Promise<string[]> {
  // Hexadecimal: an id may contain any character, and CSV would quote some.
  const lines = await clickHouse.read(
    `select lower(hex(event_id)) as id from learning_events where ${condition}`,
  );
  if (lines === '') return [];
  return lines.split('\n').map((line) => Buffer.from(line.replaceAll('"', ''), 'hex').toString('utf8'));
}
