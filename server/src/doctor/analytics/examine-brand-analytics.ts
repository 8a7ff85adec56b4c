import type { DayRange } from '../../analytics/day.ts';
import type { ClickHouse } from '../../analytics/store/clickhouse/clickhouse.ts';
import type { Database } from '../../postgres/database.ts';
import type { ExaminationOptions } from '../examine-brand.ts';
import { examineClickHouse } from './clickhouse/examine-clickhouse.ts';
import { withdrawTotals } from './clickhouse/totals-repair-store.ts';
import { type Apart, type CheckOutcome, isRepairable, type Outcomes } from './examination.ts';
import { type AnalyticsExamination, examineAnalytics } from './examine-analytics.ts';
import { listAggregatedRanges } from './queries/list-aggregated-ranges.ts';

/** The access of the doctor to the analytics store. */
export interface DoctorAnalytics {
  /** The PostgreSQL of the store. */
  readonly store: Database;
  /** The ClickHouse with its events and rows; null: they are in PostgreSQL. */
  readonly clickHouse: ClickHouse | null;
  /** (Re)aggregates days of a brand in one transaction. */
  aggregate(brandId: number, range: DayRange): Promise<void>;
}

/**
 * Examines the data of a brand in the analytics store. A repair withdraws wrong tables of running totals, aggregates
 * every aggregated day from the first damaged one to the last, in order, and examines again: differences that remain do
 * not count as repaired. A few examples of each check are reported individually, the rest as a number.
 */
export async function examineBrandAnalytics(
  main: Database,
  { store, clickHouse, aggregate }: DoctorAnalytics,
  brandId: number,
  { repair, report, reportMore = () => {}, cancelled }: ExaminationOptions,
): Promise<Apart> {
  const examine = () =>
    clickHouse === null
      ? examineAnalytics(main, store, brandId, cancelled)
      : examineClickHouse(main, { store, clickHouse }, brandId, cancelled);
  const first = await examine();
  const damaged = first.outcomes.damagedRange();
  const wrongTotals = first.outcomes.wrongTotals();
  let last: AnalyticsExamination = first;
  if (repair && (damaged !== null || wrongTotals.length > 0)) {
    // First: an aggregation would continue from them.
    if (wrongTotals.length > 0) await withdrawTotals(store, brandId, wrongTotals);
    const ranges = damaged === null ? [] : await listAggregatedRanges(store, brandId, damaged);
    for (const range of ranges) {
      cancelled?.throwIfAborted();
      await aggregate(brandId, range);
    }
    last = await examine();
  }
  const isTried = last !== first;
  for (const outcome of first.outcomes.all()) {
    const { check, found, examples } = outcome;
    const left = isTried ? remaining(outcome, last.outcomes) : new Set(examples.map(nameOf));
    for (const example of examples) {
      const { id, field, stored, actual } = example;
      const isRepaired = !left.has(nameOf(example));
      report({ check, brandId, id, field, stored, actual, isRepairable: isRepairable(check), isRepaired });
    }
    const more = found - examples.length;
    const leftInAll = Math.min(found, last.outcomes.of(check)?.found ?? 0);
    const leftOfExamples = examples.filter((example) => left.has(nameOf(example))).length;
    const repaired = isTried ? more - Math.max(0, Math.min(more, leftInAll - leftOfExamples)) : 0;
    if (more > 0) reportMore({ check, brandId, found: more, repaired });
  }
  return first.apart;
}

/** The examples that the second examination found again. If it found more than it can list, none counts as repaired. */
function remaining({ check, examples }: CheckOutcome, last: Outcomes): ReadonlySet<string> {
  const again = last.of(check);
  if (again === undefined) return new Set();
  const isComplete = again.found === again.examples.length;
  return new Set((isComplete ? again.examples : examples).map(nameOf));
}

function nameOf({ id, field }: { id: string; field: string }): string {
  return JSON.stringify([id, field]);
}
