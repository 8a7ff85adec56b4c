import type { DayRange } from '../../analytics/day.ts';
import type { Database } from '../../postgres/database.ts';
import type { ExaminationOptions } from '../examine-brand.ts';
import type { CheckOutcome, Outcomes, Skipped } from './examination.ts';
import type { ExaminedStore } from './examined-store.ts';
import { listAggregatedRanges } from './queries/list-aggregated-ranges.ts';

export interface DoctorAnalytics {
  readonly store: ExaminedStore;
  /** (Re)aggregates days of a brand in one transaction. */
  aggregate(brandId: number, range: DayRange): Promise<void>;
}

/**
 * Examines the data of a brand in the analytics store. A repair aggregates the aggregated days from the first damaged one to the
 * last, and examines again: differences that remain do not count as repaired. Reports a few examples of each check, the rest as a
 * number.
 */
export async function examineBrandAnalytics(
  main: Database,
  { store, aggregate }: DoctorAnalytics,
  brandId: number,
  { repair, report, reportMore = () => {}, cancelled }: ExaminationOptions,
): Promise<Skipped> {
  const first = await store.examine(main, brandId, cancelled);
  const damaged = first.outcomes.damagedRange();
  const hasWithdrawn = repair && (await store.beginRepair(brandId, first.outcomes));
  let last = first;
  if (repair && (damaged !== null || hasWithdrawn)) {
    const ranges = damaged === null ? [] : await listAggregatedRanges(store.database, brandId, damaged);
    for (const range of ranges) {
      cancelled?.throwIfAborted();
      await aggregate(brandId, range);
    }
    last = await store.examine(main, brandId, cancelled);
  }
  const isTried = last !== first;
  for (const outcome of first.outcomes.all()) {
    const { check, isRepairable, found, examples } = outcome;
    const left = isTried ? remaining(outcome, last.outcomes) : new Set(examples.map(nameOf));
    for (const example of examples) {
      const { id, field, stored, actual } = example;
      const isRepaired = !left.has(nameOf(example));
      report({ check, brandId, id, field, stored, actual, isRepairable, isRepaired });
    }
    const more = found - examples.length;
    const leftInAll = Math.min(found, last.outcomes.of(check)?.found ?? 0);
    const leftOfExamples = examples.filter((example) => left.has(nameOf(example))).length;
    const repaired = isTried ? more - Math.max(0, Math.min(more, leftInAll - leftOfExamples)) : 0;
    if (more > 0) reportMore({ check, brandId, found: more, repaired });
  }
  return first.skipped;
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
