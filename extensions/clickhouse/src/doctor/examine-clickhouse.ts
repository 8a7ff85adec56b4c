import type { Day } from '../../../../server/src/analytics/day.ts';
import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import { lockDatasets } from '../../../../server/src/analytics/store/days-store.ts';
import {
  type AnalyticsExamination,
  DayDifferences,
  type ExamineAnalytics,
  listUnsettledLearners,
} from '../../../../server/src/doctor/examine-analytics.ts';
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
import { confirmed, exampleLimit } from './differences.ts';
import { compareTotals, type ExaminedClickHouse } from './queries/compare-totals.ts';
import {
  findDoubledIds,
  findOrphanBatches,
  findOrphanRows,
  findTotalDifferences,
} from './queries/find-row-differences.ts';
import { type RecordedDay, readRecords } from './queries/read-records.ts';
import { readStoredDays, readStoredEvents } from './queries/read-stored-days.ts';

export function examinedClickHouse(database: Database, clickHouse: ClickHouse): ExamineAnalytics {
  return (main, brandId, cancelled) =>
    examineClickHouse(main, { store: database, clickHouse }, brandId, cancelled);
}

/**
 * Withdraws running totals of a brand, under the lock of its datasets, for which it waits. Aggregations add up all days until the
 * upkeep has written new ones.
 */
async function withdrawTotals(
  store: Database,
  brandId: number,
  datasets: readonly DatasetName[],
): Promise<void> {
  await store.transaction(async (tx) => {
    await lockDatasets(tx, brandId);
    for (const dataset of datasets) await retireTotals(tx, brandId, dataset);
    await markForTotals(tx, brandId);
  });
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
  if (first.differences.checks().length === 0) return first;
  const { skippedDays, ...second } = await examineOnce(main, store, brandId, cancelled);
  const differences = confirmed(first.differences, second.differences);
  const wrong = datasetNames.filter((name) => differences.of(`totals_${name}`).found > 0);
  const withdraw = wrong.length === 0 ? null : () => withdrawTotals(store.store, brandId, wrong);
  return { differences, skippedDays, withdraw };
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
  const unsettled = [...before.learnerIds, ...after.learnerIds];
  const reading = { records, unsettled: [...new Set([...unsettled, ...records.hiddenLearnerIds])] };
  const events = await readStoredEvents(clickHouse, brandId, reading);
  const datasets: Map<DatasetName, Awaited<ReturnType<typeof readStoredDays>>> = new Map();
  for (const dataset of datasetNames) {
    cancelled?.throwIfAborted();
    datasets.set(dataset, await readStoredDays(clickHouse, brandId, dataset, reading));
  }
  const stored = { records, events, datasets };
  const isSkipped = ([day, record]: [Day, RecordedDay]) =>
    record.isDirty || record.isDropped || isErased(day, record, datasets);
  return {
    differences: await compareAll(examined, brandId, stored, cancelled),
    skippedDays: [...records.days].filter(isSkipped).length,
  };
}

async function compareAll(
  examined: ExaminedClickHouse,
  brandId: number,
  stored: StoredBrand,
  cancelled: AbortSignal | undefined,
): Promise<DayDifferences> {
  const { clickHouse } = examined;
  const { records, events, datasets } = stored;
  const found = new DayDifferences();
  for (const dataset of datasetNames) {
    cancelled?.throwIfAborted();
    found.add(`dataset_${dataset}`, compareSums(dataset, stored));
    const rows = [...(datasets.get(dataset)?.values() ?? [])].reduce((sum, day) => sum + day.rows, 0);
    const soFar = await findTotalDifferences(clickHouse, brandId, dataset, {
      records,
      rows,
      signal: cancelled,
    });
    found.add(`dataset_${dataset}`, soFar);
    const totals = await compareTotals(examined, brandId, dataset, { records, signal: cancelled });
    found.add(`totals_${dataset}`, totals);
    found.add('unread_rows', await findOrphanRows(clickHouse, brandId, dataset, records));
  }
  found.add('dataset_day_records', compareRowCounts(stored));
  found.add('dataset_revisions', compareRevisions(records));
  const claims = compareClaims(stored);
  found.add('event_claims', claims);
  for (const { day } of claims.slice(0, exampleLimit)) {
    cancelled?.throwIfAborted();
    const ofDay = { records, events: events.get(day)?.events ?? 0 };
    found.add('event_claims', await findDoubledIds(clickHouse, brandId, day, ofDay));
  }
  found.add('unread_rows', await findOrphanBatches(clickHouse, brandId, records));
  found.add('unread_rows', records.overdue);
  return found;
}
