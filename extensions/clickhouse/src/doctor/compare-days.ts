import type { Day } from '../../../../server/src/analytics/day.ts';
import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import { differenceOf, type FoundDifference } from './differences.ts';
import type { BrandRecords, RecordedDay } from './queries/read-records.ts';
import { comparedSums, type DaySums, type StoredEvents } from './queries/read-stored-days.ts';

export interface StoredBrand {
  readonly records: BrandRecords;
  readonly events: ReadonlyMap<Day, StoredEvents>;
  readonly datasets: ReadonlyMap<DatasetName, ReadonlyMap<Day, DaySums>>;
}

const noSums = comparedSums.map(() => '0');

/** Compares the sums of a dataset's days with those of the events. Days that cannot be compared are left out [internal-50]. */
export function compareSums(
  dataset: DatasetName,
  { records, events, datasets }: StoredBrand,
): FoundDifference[] {
  const found: FoundDifference[] = [];
  for (const [day, record] of records.days) {
    if (record.isDirty || record.isDropped) continue;
    const ofDay = events.get(day);
    const isOfLearners = dataset === 'users' || dataset === 'content_engagement';
    // Rows of many learners still count those who were opted out or erased later, and nobody knows which.
    const isOutdated = ofDay?.hasUnsettled === true || isErased(day, record, datasets);
    if (!isOfLearners && isOutdated) continue;
    const actual = ofDay === undefined ? noSums : sumsOf(dataset, ofDay);
    const stored = datasets.get(dataset)?.get(day)?.sums ?? noSums;
    for (const [place, field] of comparedSums.entries())
      if (stored[place] !== actual[place])
        found.push(
          differenceOf(day, field, { stored: stored[place] ?? null, actual: actual[place] ?? null }),
        );
  }
  return found;
}

function sumsOf(dataset: DatasetName, events: StoredEvents): readonly string[] {
  if (dataset === 'daily') return events.all;
  if (dataset === 'contents') return events.ofContents;
  return dataset === 'users' ? events.settled : events.settledOfContents;
}

export function isErased(
  day: Day,
  { rows }: RecordedDay,
  datasets: ReadonlyMap<DatasetName, ReadonlyMap<Day, DaySums>>,
): boolean {
  return (rows.users ?? 0) > (datasets.get('users')?.get(day)?.rows ?? 0);
}

/** Compares the number of published rows of each day with its record. An erasure removes rows of learners. */
export function compareRowCounts({ records, datasets }: StoredBrand): FoundDifference[] {
  const found: FoundDifference[] = [];
  for (const dataset of datasetNames) {
    const stored = datasets.get(dataset) ?? new Map<Day, DaySums>();
    const mayBeFewer = dataset === 'users' || dataset === 'content_engagement';
    for (const day of new Set([...records.days.keys(), ...stored.keys()])) {
      const recorded = records.days.get(day)?.rows[dataset];
      const rows = stored.get(day)?.rows ?? 0;
      if (recorded === rows || (mayBeFewer && recorded !== undefined && rows < recorded)) continue;
      const values = { stored: String(recorded ?? null), actual: String(rows) };
      found.push(differenceOf(day, `rows.${dataset}`, values));
    }
  }
  return found;
}

/** Compares the revisions with the aggregated days. */
export function compareRevisions({ days }: BrandRecords): FoundDifference[] {
  return [...days].flatMap(([day, { unrevised }]) =>
    unrevised.map((dataset) =>
      differenceOf(day, 'revision', { stored: null, actual: 'present' }, `${day} ${dataset}`),
    ),
  );
}

/** Compares the committed events of each day with the claims of their ids. */
export function compareClaims({ records, events }: StoredBrand): FoundDifference[] {
  const found: FoundDifference[] = [];
  for (const day of [...new Set([...records.claims.keys(), ...events.keys()])].sort()) {
    const claimed = records.claims.get(day);
    const stored = events.get(day);
    // The claims of a learner who is being erased are gone, and the events may not be yet.
    if (stored?.hasHidden === true) continue;
    // Events of dropped months have no claims.
    if (claimed === undefined && records.days.get(day)?.isDropped === true) continue;
    const [claims, count] = [claimed?.claims ?? 0, stored?.events ?? 0];
    if (claims !== count)
      found.push(differenceOf(day, 'events', { stored: String(count), actual: String(claims) }));
    else if (claimed?.hashes !== stored?.hashes)
      found.push(differenceOf(day, 'event_ids', { stored: 'others', actual: 'those that are claimed' }));
  }
  return found;
}
