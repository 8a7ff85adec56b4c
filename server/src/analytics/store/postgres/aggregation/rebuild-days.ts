import type { Transaction } from '../../../../postgres/transaction.ts';
import { countDays, type Day, type DayRange, daysOf } from '../../../day.ts';
import {
  type AggregationFacts,
  type AggregationOptions,
  type AggregationResult,
  type DatasetName,
  datasetNames,
} from '../../aggregation-types.ts';
import { lockDatasetsOrSkip } from '../../coordination/aggregation-lock.ts';
import {
  findWhetherDaysFollow,
  listChanges,
  recordAggregatedDays,
} from '../../coordination/day-record-store.ts';
import { findKeptSince } from '../../coordination/event-retention-store.ts';
import { moveRevisions } from '../../coordination/revision-store.ts';
import { datasetDefinitions } from './dataset-definitions.ts';
import { datasetStatements, preferIndexes } from './dataset-statements.ts';
import { analyzeFold, createFold, foldEvents } from './fold-store.ts';

const datasets = datasetDefinitions.map(datasetStatements);

export interface RebuildOptions extends AggregationOptions {
  readonly readFacts: () => Promise<AggregationFacts>;
}

/** See `AnalyticsStore.aggregate`. A constant number of statements, regardless of the number of days and rows. */
export async function rebuildDays(
  tx: Transaction,
  brandId: number,
  asked: DayRange,
  { at, whenBusy, readFacts }: RebuildOptions,
): Promise<AggregationResult | null> {
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return null;

  const facts = await readFacts();
  // Read before the events: a change that is missing from these rows stays marked for the next aggregation.
  const seen = await listChanges(tx, brandId, asked);
  await createFold(tx);
  await foldEvents(tx, brandId, asked, facts.excludedLearnerIds);
  // Checked after the events were read: from here on, no events are dropped until this transaction ends.
  const keptSince = await findKeptSince(tx);
  const range = keptSince !== null && keptSince > asked.from ? { ...asked, from: keptSince } : asked;
  if (countDays(range) <= 0) return { days: 0, rows: rowsOf(new Map()) };
  const written = await replaceByFold(tx, brandId, range, { facts, at });
  await recordAggregatedDays(tx, brandId, { at, seen, written });
  return { days: written.size, rows: rowsOf(written) };
}

type Written = Map<Day, Record<DatasetName, number>>;

function rowsOf(written: Written): Record<DatasetName, number> {
  const sum = (name: DatasetName) => written.values().reduce((rows, day) => rows + day[name], 0);
  return Object.fromEntries(datasetNames.map((name) => [name, sum(name)])) as Record<DatasetName, number>;
}

/**
 * Replaces the days' rows in all datasets and returns their number by day. The caller holds the lock of the brand's datasets.
 */
export async function replaceByFold(
  tx: Transaction,
  brandId: number,
  range: DayRange,
  { facts, at }: { facts: AggregationFacts; at: Date },
): Promise<Written> {
  await analyzeFold(tx);
  const written: Written = new Map();
  const hasLaterDays = await findWhetherDaysFollow(tx, brandId, range.to);
  if (!hasLaterDays) await tx.run(preferIndexes);
  for (const dataset of datasets)
    await replaceDays(tx, brandId, dataset, { range, facts, at, written, hasLaterDays });
  return written;
}

interface Progress {
  readonly range: DayRange;
  readonly facts: AggregationFacts;
  readonly at: Date;
  readonly hasLaterDays: boolean;
  /** The rows of each day so far. `daily` has a row for every day and comes first. */
  readonly written: Written;
}

async function replaceDays(
  tx: Transaction,
  brandId: number,
  dataset: (typeof datasets)[number],
  { range, facts, at, written, hasLaterDays }: Progress,
): Promise<void> {
  const { name } = dataset.definition;
  const replacement = { range, hasLaterDays };
  if (hasLaterDays) for (const create of dataset.createChange()) await tx.run(create);
  await tx.run(dataset.remove(brandId, replacement));
  for (const { day, rows } of await tx.run(dataset.write(brandId, replacement, facts))) {
    const counts = written.get(day) ?? { daily: 0, contents: 0, users: 0, content_engagement: 0 };
    written.set(day, { ...counts, [name]: rows });
  }
  let later: { day: Day }[] = [];
  if (hasLaterDays) {
    await tx.run(dataset.analyzeRemoved());
    await tx.run(dataset.listChanged(brandId, range));
    await tx.run(dataset.analyzeChanged());
    later = await tx.run(dataset.correctLater(brandId, range));
  }
  const days = { aggregated: daysOf(range), corrected: later.map(({ day }) => day) };
  await moveRevisions(tx, brandId, { dataset: name, days, at });
}
