import type { Transaction } from '../../postgres/transaction.ts';
import { countDays, type DayRange, daysOf } from '../day.ts';
import {
  type AggregationFacts,
  type AggregationOptions,
  type AggregationResult,
  datasetNames,
  type RowCounts,
} from './aggregation-types.ts';
import { lockDatasetsOrSkip } from './coordination/aggregation-lock.ts';
import { boundedTransaction } from './coordination/bounded-transaction.ts';
import {
  type DayArrivals,
  findWhetherDaysFollow,
  listChanges,
  recordAggregatedDays,
} from './coordination/day-record-store.ts';
import { lockKeptDays } from './coordination/event-retention-store.ts';
import { moveRevisions } from './coordination/revision-store.ts';
import type { AnalyticsEngine, ReplacedDays } from './engine.ts';

export interface Aggregation extends AggregationOptions {
  readonly range: DayRange;
  /** Called after the wait for the lock, perhaps more than once. */
  readonly readFacts: () => Promise<AggregationFacts>;
}

/**
 * (Re)aggregates the days that still have raw events: replaces their rows, corrects later running totals, increments the
 * revisions and clears the marks, which readers see with one commit. One aggregation of a brand runs at a time: the second
 * waits, or returns null with `skip`. A constant number of statements in PostgreSQL, regardless of days and rows.
 * @throws AggregationTooLong after `limitMs`
 */
export async function aggregate(
  unbounded: Transaction,
  engine: AnalyticsEngine,
  brandId: number,
  { range: asked, readFacts, at, whenBusy, limitMs }: Aggregation,
): Promise<AggregationResult | null> {
  const endsAt = limitMs === undefined ? null : performance.now() + limitMs;
  const tx = limitMs === undefined ? unbounded : boundedTransaction(unbounded, limitMs);
  if (!(await lockDatasetsOrSkip(tx, brandId, whenBusy))) return null;
  const facts = await readFacts();
  const keptSince = await lockKeptDays(tx);
  const range = keptSince !== null && keptSince > asked.from ? { ...asked, from: keptSince } : asked;
  if (countDays(range) <= 0) return { days: 0, rows: sumOf([]) };
  // Read before the events: a change that is missing from the rows stays marked for the next aggregation.
  const seen = await listChanges(tx, brandId, range);
  const hasLaterDays = await findWhetherDaysFollow(tx, brandId, range.to);
  const replaced = await engine.replaceDays(tx, brandId, { range, facts, hasLaterDays, endsAt });
  await publishDays(tx, brandId, { range, at, seen, replaced });
  return { days: replaced.rows.size, rows: sumOf([...replaced.rows.values()]) };
}

export interface Publication {
  readonly range: DayRange;
  readonly at: Date;
  /** From `listChanges`, called before the events were read. */
  readonly seen: ReadonlyMap<string, DayArrivals>;
  readonly replaced: ReplacedDays;
}

/** Moves the revisions of replaced days, and records them. The caller holds the lock of the brand's datasets. */
export async function publishDays(
  tx: Transaction,
  brandId: number,
  { range, at, seen, replaced: { rows, corrected } }: Publication,
): Promise<void> {
  for (const dataset of datasetNames) {
    const days = { aggregated: daysOf(range), corrected: corrected[dataset] ?? [] };
    await moveRevisions(tx, brandId, { dataset, days, at });
  }
  await recordAggregatedDays(tx, brandId, { at, seen, written: rows });
}

function sumOf(days: readonly RowCounts[]): RowCounts {
  const sums = datasetNames.map((name) => [name, days.reduce((sum, rows) => sum + rows[name], 0)]);
  return Object.fromEntries(sums) as Record<(typeof datasetNames)[number], number>;
}
