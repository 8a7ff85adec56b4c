import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/aggregation-types.ts';
import { lockDatasets } from '../../../../server/src/analytics/store/coordination/aggregation-lock.ts';
import { Outcomes } from '../../../../server/src/doctor/analytics/examination.ts';
import type { AnalyticsExamination } from '../../../../server/src/doctor/analytics/examine-analytics.ts';
import type { ExaminedStore } from '../../../../server/src/doctor/analytics/examined-store.ts';
import { exampleLimit } from '../../../../server/src/doctor/analytics/queries/find-dataset-differences.ts';
import { listUnsettledLearners } from '../../../../server/src/doctor/analytics/queries/list-unsettled-learners.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { markForTotals } from '../store/coordination/due-totals-store.ts';
import { retireTotals } from '../store/coordination/totals-store.ts';
import {
  compareClaims,
  compareRevisions,
  compareRowCounts,
  compareSums,
  isErased,
  type StoredBrand,
} from './compare-days.ts';
import { addDifferences } from './differences.ts';
import { compareTotals, type ExaminedClickHouse } from './queries/compare-totals.ts';
import {
  findDoubledIds,
  findOrphanBatches,
  findOrphanRows,
  findTotalDifferences,
} from './queries/find-row-differences.ts';
import { readRecords } from './queries/read-records.ts';
import { readStoredDays, readStoredEvents } from './queries/read-stored-days.ts';

export function examinedClickHouse(database: Database, clickHouse: ClickHouse): ExaminedStore {
  return {
    database,
    examine: (main, brandId, cancelled) =>
      examineClickHouse(main, { store: database, clickHouse }, brandId, cancelled),
    beginRepair: (brandId, outcomes) => withdrawWrongTotals(database, brandId, outcomes),
  };
}

/**
 * Withdraws the running totals in which differences were found, under the lock of the brand's datasets, for which it waits.
 * Aggregations add up all days until the upkeep has written new ones. Returns whether there were any.
 */
async function withdrawWrongTotals(store: Database, brandId: number, outcomes: Outcomes): Promise<boolean> {
  const datasets = datasetNames.filter((name) => outcomes.of(`totals_${name}`) !== undefined);
  if (datasets.length === 0) return false;
  await store.transaction(async (tx) => {
    await lockDatasets(tx, brandId);
    for (const dataset of datasets) await retireTotals(tx, brandId, dataset);
    await markForTotals(tx, brandId);
  });
  return true;
}

/**
 * Compares what PostgreSQL records of a brand with what ClickHouse has, day by day: events, sums, row counts, running
 * totals; and finds rows that are published nowhere and older than an hour [D206]. Reads only, in bounded memory.
 * ClickHouse has no snapshot: only what differs twice counts.
 */
async function examineClickHouse(
  main: Database,
  store: ExaminedClickHouse,
  brandId: number,
  cancelled: AbortSignal | undefined,
): Promise<AnalyticsExamination> {
  const first = await examineOnce(main, store, brandId, cancelled);
  if (first.outcomes.all().length === 0) return first;
  const second = await examineOnce(main, store, brandId, cancelled);
  return { ...second, outcomes: second.outcomes.confirming(first.outcomes) };
}

async function examineOnce(
  main: Database,
  examined: ExaminedClickHouse,
  brandId: number,
  cancelled: AbortSignal | undefined,
): Promise<AnalyticsExamination> {
  const { store, clickHouse } = examined;
  const before = await listUnsettledLearners(main, brandId);
  const records = await store.transaction((tx) => readRecords(tx, brandId));
  const after = await listUnsettledLearners(main, brandId);
  const unsettled = [before, after].flatMap(({ optedOut, returning }) => [...optedOut, ...returning]);
  const reading = { records, unsettled: [...new Set([...unsettled, ...records.hiddenLearnerIds])] };
  const events = await readStoredEvents(clickHouse, brandId, reading);
  const datasets: Map<DatasetName, Awaited<ReturnType<typeof readStoredDays>>> = new Map();
  for (const dataset of datasetNames) {
    cancelled?.throwIfAborted();
    datasets.set(dataset, await readStoredDays(clickHouse, brandId, dataset, reading));
  }
  const stored = { records, events, datasets };
  const outcomes = await compareAll(examined, brandId, stored, cancelled);
  const days = [...records.days];
  return {
    outcomes,
    skipped: {
      dirty_days: days.filter(([, { isDirty }]) => isDirty).length,
      days_without_events: days.filter(([, { isDropped }]) => isDropped).length,
      days_before_erasure: days.filter(([day, record]) => isErased(day, record, datasets)).length,
      learner_days_before_opt_out: 0,
      waiting_returns: after.returning.length,
    },
  };
}

async function compareAll(
  examined: ExaminedClickHouse,
  brandId: number,
  stored: StoredBrand,
  cancelled: AbortSignal | undefined,
): Promise<Outcomes> {
  const { clickHouse } = examined;
  const { records, events, datasets } = stored;
  const outcomes = new Outcomes();
  for (const dataset of datasetNames) {
    cancelled?.throwIfAborted();
    addDifferences(outcomes, `dataset_${dataset}`, compareSums(dataset, stored));
    const rows = [...(datasets.get(dataset)?.values() ?? [])].reduce((sum, day) => sum + day.rows, 0);
    const soFar = await findTotalDifferences(clickHouse, brandId, dataset, {
      records,
      rows,
      signal: cancelled,
    });
    addDifferences(outcomes, `dataset_${dataset}`, soFar);
    const totals = await compareTotals(examined, brandId, dataset, { records, signal: cancelled });
    addDifferences(outcomes, `totals_${dataset}`, totals, true);
    addDifferences(outcomes, 'unread_rows', await findOrphanRows(clickHouse, brandId, dataset, records));
  }
  addDifferences(outcomes, 'dataset_day_records', compareRowCounts(stored));
  addDifferences(outcomes, 'dataset_revisions', compareRevisions(records));
  const claims = compareClaims(stored);
  addDifferences(outcomes, 'event_claims', claims);
  for (const { day } of claims.slice(0, exampleLimit)) {
    cancelled?.throwIfAborted();
    const ofDay = { records, events: events.get(day)?.events ?? 0 };
    addDifferences(outcomes, 'event_claims', await findDoubledIds(clickHouse, brandId, day, ofDay));
  }
  addDifferences(outcomes, 'unread_rows', await findOrphanBatches(clickHouse, brandId, records));
  addDifferences(outcomes, 'unread_rows', records.overdue);
  return outcomes;
}
