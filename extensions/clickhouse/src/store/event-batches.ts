import { datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import type { MarkedDay } from '../../../../server/src/analytics/store/days-store.ts';
import type { LearningEvent } from '../../../../server/src/analytics/store/engine.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { ofTotals } from './aggregation/earlier-sums.ts';
import { withHeartbeat } from './beats.ts';
import type { ClickHouse } from './clickhouse.ts';
import { claimEvents, committedBatches, recordBatch } from './coordination/batch-store.ts';
import { deleteClaims, forgetLearner, hideLearner } from './coordination/hidden-learner-store.ts';
import { discountTotals, findTotals } from './coordination/totals-store.ts';
import { shapes, totalsTable } from './dataset-shape.ts';
import { eventLines } from './event-lines.ts';
import { integer } from './literals.ts';
import { eventColumns } from './schema.ts';
import type { KeptUp } from './upkeep/kept-up.ts';

const columns = Object.keys(eventColumns);
const learnerDatasets = datasetNames.filter((name) => shapes[name].keys.includes('user_id'));
const learnerTables = [...learnerDatasets, ...learnerDatasets.map(totalsTable)];
/** Ids of events that are read and deleted at once. */
const claimChunk = 50_000;

/**
 * See `AnalyticsEngine.appendEvents`. Claims the ids, inserts the events under the number of a batch, and records the batch,
 * which becomes visible with the commit. The upkeep deletes batches that were never committed.
 */
export async function appendEvents(
  tx: Transaction,
  clickHouse: ClickHouse,
  brandId: number,
  events: readonly LearningEvent[],
): Promise<MarkedDay[]> {
  if (events.length === 0) return [];
  const { batch, positions } = await claimEvents(tx, brandId, events);
  const added = positions === null ? events : positions.map((position) => events[position] as LearningEvent);
  if (added.length === 0) return [];
  await clickHouse.insert('learning_events', columns, eventLines(brandId, batch, added));
  const days = new Map<string, number>();
  for (const { day } of added) days.set(day, (days.get(day) ?? 0) + 1);
  await recordBatch(tx, brandId, batch, [...days.keys()]);
  return [...days].map(([day, count]) => ({ day, added: count }));
}

/**
 * See `AnalyticsEngine.eraseLearner`. The commit hides the learner and deletes the claims; then the rows are deleted in
 * ClickHouse. Interrupted in between, the learner stays hidden, and a repetition or the upkeep deletes the rows [D194].
 */
export async function eraseLearner(
  tx: Transaction,
  databases: Pick<KeptUp, 'writes' | 'clickHouse'>,
  brandId: number,
  learnerId: number,
): Promise<() => Promise<void>> {
  const { clickHouse } = databases;
  // A repetition finds them hidden, and discounted.
  if (await hideLearner(tx, brandId, learnerId)) await discountLearner(tx, clickHouse, brandId, learnerId);
  const events = await releaseEvents(tx, clickHouse, brandId, learnerId);
  return () => deleteRows(databases, brandId, learnerId, events);
}

/** Takes the running totals of a learner off the counts by which totals are known to be complete. */
async function discountLearner(
  tx: Transaction,
  clickHouse: ClickHouse,
  brandId: number,
  learnerId: number,
): Promise<void> {
  for (const dataset of learnerDatasets) {
    const totals = await findTotals(tx, brandId, dataset);
    if (totals === null) continue;
    const rows = await clickHouse.count(
      totalsTable(dataset),
      `brand_id = ${integer(brandId)} and ${ofTotals(totals)} and user_id = ${integer(learnerId)}`,
    );
    await discountTotals(tx, brandId, dataset, rows);
  }
}

/**
 * Finishes the interrupted erasure of a hidden learner: deletes the rows, and then forgets that they were there. Events of
 * batches that were committed after the interruption are deleted too, with their claims.
 */
export async function deleteHiddenLearner(
  databases: Pick<KeptUp, 'writes' | 'clickHouse'>,
  brandId: number,
  learnerId: number,
): Promise<void> {
  const { writes, clickHouse } = databases;
  const events = await writes.transaction((tx) => releaseEvents(tx, clickHouse, brandId, learnerId));
  await deleteRows(databases, brandId, learnerId, events);
}

async function deleteRows(
  { writes, clickHouse }: Pick<KeptUp, 'writes' | 'clickHouse'>,
  brandId: number,
  learnerId: number,
  events: string,
): Promise<void> {
  const condition = `brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)}`;
  await writes.transaction(async (tx) => {
    await withHeartbeat(tx, async (signal) => {
      // Each is a mutation of another table, which takes a while however few rows it finds.
      await Promise.all([
        ...learnerTables.map((table) =>
          clickHouse.run(`delete from ${table} where ${condition}`, { signal }),
        ),
        clickHouse.run(`delete from learning_events where ${events}`, { signal }),
      ]);
    });
    await forgetLearner(tx, brandId, learnerId);
  });
}

/**
 * Deletes the claims of a learner's committed events, and returns the condition for these events. Deletes only these:
 * uncommitted batches keep their claims and rows.
 */
async function releaseEvents(
  tx: Transaction,
  clickHouse: ClickHouse,
  brandId: number,
  learnerId: number,
): Promise<string> {
  const isCommitted = await committedBatches(tx, brandId);
  const events = `brand_id = ${integer(brandId)} and user_id = ${integer(learnerId)} and ${isCommitted}`;
  const ids = await listEventIds(clickHouse, events);
  for (let start = 0; start < ids.length; start += claimChunk)
    await deleteClaims(tx, brandId, ids.slice(start, start + claimChunk));
  return events;
}

async function listEventIds(clickHouse: ClickHouse, condition: string): Promise<string[]> {
  // Hexadecimal: an id may contain any character.
  const rows = await clickHouse.rows(
    `select lower(hex(event_id)) as id from learning_events where ${condition}`,
  );
  return rows.map(([id = '']) => Buffer.from(id, 'hex').toString('utf8'));
}
