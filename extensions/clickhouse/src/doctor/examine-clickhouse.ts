import type { Day } from '../../../../server/src/analytics/day.ts';
import {
  type DatasetName,
  datasetNames,
  datasetsOf,
} from '../../../../server/src/analytics/store/datasets.ts';
import {
  type AnalyticsExamination,
  type DayDifference,
  DayDifferences,
  type ExamineAnalytics,
  listUnsettledLearners,
} from '../../../../server/src/doctor/examine-analytics.ts';
import type { Invariant } from '../../../../server/src/doctor/invariant.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { noteUnread } from '../store/published-store.ts';
import {
  type BrandRecords,
  comparedSums,
  ofLearners,
  type RecordedDay,
  readDataset,
  readEvents,
  readRecords,
  type StoredDay,
  type StoredEvents,
  type UnreadRows,
} from './stored-days-store.ts';

/** Invariants that only stores in ClickHouse have. Damage cases: `tests/clickhouse-doctor.test.ts`. */
export const clickHouseInvariants: readonly Invariant[] = [
  {
    id: 'unread_rows',
    tables: ['all datasets in ClickHouse', 'analytics.unpublished_generations'],
    holds:
      'A row of a dataset that is older than an hour is of a published generation, or the housekeeping knows it and deletes it.',
    repair: 'tells the housekeeping, which deletes it after 24 hours',
  },
];

/**
 * Compares what PostgreSQL records of a brand with what ClickHouse has, day by day: events and their claims, sums and numbers of
 * rows; and finds rows that nothing reads [D205]. Reads only, in bounded memory. ClickHouse has no snapshot: only what differs
 * twice counts.
 */
export function examinedClickHouse(store: Database, clickHouse: ClickHouse): ExamineAnalytics {
  return async (main, brandId, cancelled) => {
    const examined = { main, store, clickHouse, cancelled };
    const first = await examineOnce(brandId, examined);
    if (first.differences.checks().length === 0) return first;
    const second = await examineOnce(brandId, examined);
    return { ...second, differences: confirmed(first.differences, second.differences) };
  };
}

/** Returns what a second examination found again. */
function confirmed(first: DayDifferences, second: DayDifferences): DayDifferences {
  const both = new DayDifferences();
  for (const check of second.checks()) {
    const [before, after] = [first.of(check), second.of(check)];
    const isComplete = before.found === before.listed.length;
    const known = new Set(before.listed.map(({ id, field }) => JSON.stringify([id, field])));
    const again = after.listed.filter(({ id, field }) => known.has(JSON.stringify([id, field])));
    if (isComplete) both.add(check, again);
    else if (after.range !== undefined)
      both.add(check, after.listed, { found: Math.min(before.found, after.found), range: after.range });
  }
  return both;
}

interface Examined {
  readonly main: Database;
  readonly store: Database;
  readonly clickHouse: ClickHouse;
  readonly cancelled: AbortSignal | undefined;
}

async function examineOnce(
  brandId: number,
  { main, store, clickHouse, cancelled }: Examined,
): Promise<AnalyticsExamination> {
  const before = await listUnsettledLearners(main, brandId);
  const records = await store.transaction((tx) => readRecords(tx, brandId));
  const after = await listUnsettledLearners(main, brandId);
  const unsettled = [...new Set([...before.learnerIds, ...after.learnerIds])];
  const events = await readEvents(clickHouse, brandId, records, unsettled);
  const differences = new DayDifferences();
  const datasets = new Map<DatasetName, ReadonlyMap<Day, StoredDay>>();
  const unread: UnreadRows[] = [];
  for (const dataset of datasetNames) {
    cancelled?.throwIfAborted();
    const stored = await readDataset(clickHouse, { brandId, dataset, records, unsettled });
    datasets.set(dataset, stored.published);
    unread.push(...stored.unread);
    differences.add('unread_rows', stored.unread.map(unreadDifference(dataset)));
  }
  const stored = { records, events, datasets };
  for (const dataset of datasetNames) differences.add(`dataset_${dataset}`, compareSums(dataset, stored));
  differences.add('dataset_day_records', compareRowCounts(stored));
  differences.add('event_claims', compareClaims(stored));
  const isSkipped = ([day, record]: [Day, RecordedDay]) =>
    record.isDirty || record.isDropped || isErased(day, record, datasets);
  return {
    differences,
    skippedDays: [...records.days].filter(isSkipped).length,
    repair: unread.length === 0 ? null : () => store.transaction((tx) => noteUnread(tx, brandId, unread)),
  };
}

interface StoredBrand {
  readonly records: BrandRecords;
  readonly events: ReadonlyMap<Day, StoredEvents>;
  readonly datasets: ReadonlyMap<DatasetName, ReadonlyMap<Day, StoredDay>>;
}

/** Compares the sums of a dataset's days with those of the events. Days that cannot be compared are left out [internal-50]. */
function compareSums(dataset: DatasetName, { records, events, datasets }: StoredBrand): DayDifference[] {
  const none = comparedSums.map(() => '0');
  const place = (ofLearners(dataset) ? 2 : 0) + (datasetsOf('content').includes(dataset) ? 1 : 0);
  const found: DayDifference[] = [];
  for (const [day, record] of records.days) {
    if (record.isDirty || record.isDropped) continue;
    const ofDay = events.get(day);
    // Rows of many learners still count those who were opted out or erased later, and nobody knows which.
    const isOutdated = ofDay?.hasUnsettled === true || isErased(day, record, datasets);
    if (!ofLearners(dataset) && isOutdated) continue;
    const actual = ofDay?.sums[place] ?? none;
    const stored = datasets.get(dataset)?.get(day)?.sums ?? none;
    for (const [column, field] of comparedSums.entries())
      if (stored[column] !== actual[column])
        found.push({ day, id: day, field, stored: stored[column] ?? null, actual: actual[column] ?? null });
  }
  return found;
}

function isErased(day: Day, { rows }: RecordedDay, datasets: StoredBrand['datasets']): boolean {
  return (rows.users ?? 0) > (datasets.get('users')?.get(day)?.rows ?? 0);
}

/** Compares the number of published rows of each day with its record. An erasure removes rows of learners. */
function compareRowCounts({ records, datasets }: StoredBrand): DayDifference[] {
  return datasetNames.flatMap((dataset) => {
    const stored = datasets.get(dataset) ?? new Map<Day, StoredDay>();
    return [...new Set([...records.days.keys(), ...stored.keys()])].flatMap((day) => {
      const recorded = records.days.get(day)?.rows[dataset];
      const rows = stored.get(day)?.rows ?? 0;
      if (recorded === rows || (ofLearners(dataset) && recorded !== undefined && rows < recorded)) return [];
      return [
        { day, id: day, field: `rows.${dataset}`, stored: String(recorded ?? null), actual: String(rows) },
      ];
    });
  });
}

/** Compares the committed events of each day with the number of claims of their ids. */
function compareClaims({ records, events }: StoredBrand): DayDifference[] {
  return [...new Set([...records.claims.keys(), ...events.keys()])].sort().flatMap((day) => {
    const [claims, stored] = [records.claims.get(day), events.get(day)?.events ?? 0];
    // Events of dropped months have no claims.
    if (claims === undefined && records.days.get(day)?.isDropped === true) return [];
    if ((claims ?? 0) === stored) return [];
    return [{ day, id: day, field: 'events', stored: String(stored), actual: String(claims ?? 0) }];
  });
}

const unreadDifference =
  (dataset: DatasetName) =>
  (unread: UnreadRows): DayDifference => {
    const { day, generation, rows } = unread;
    return { day, id: `${dataset} ${day} ${generation}`, field: 'rows', stored: String(rows), actual: null };
  };
