import type { Day, DayRange } from '../../analytics/day.ts';
import { type DatasetName, datasetNames } from '../../analytics/store/aggregation-types.ts';
import type { DatasetDifferenceRow } from './queries/compare-sql.ts';

/** The checks of the analytics store, in the order in which they run. */
export type AnalyticsCheckName =
  | 'dataset_daily'
  | 'dataset_contents'
  | 'dataset_users'
  | 'dataset_content_engagement'
  | 'dataset_day_records'
  | 'dataset_revisions'
  | 'event_days'
  | 'event_claims'
  /** The tables of running totals in ClickHouse [D207]. */
  | `totals_${DatasetName}`
  /** Rows in ClickHouse that nothing reads and that should have been deleted. */
  | 'unread_rows';

/** Checks whose differences an aggregation of the days repairs. */
const derived: ReadonlySet<AnalyticsCheckName> = new Set([
  'dataset_daily',
  'dataset_contents',
  'dataset_users',
  'dataset_content_engagement',
  'dataset_day_records',
  'dataset_revisions',
]);

export const isRepairable = (check: AnalyticsCheckName) => derived.has(check) || check.startsWith('totals_');

/** The differences of one check in one brand: their number, a few examples, and the range of their days. */
export interface CheckOutcome {
  readonly check: AnalyticsCheckName;
  readonly found: number;
  readonly examples: readonly DatasetDifferenceRow[];
  readonly range: DayRange;
}

/** Data of one brand that cannot be compared and is not a difference [internal-50]. */
export interface Apart {
  /** Days with events or learners that no aggregation has included. */
  readonly dirtyDays: number;
  /** Days whose raw events were dropped. */
  readonly daysWithoutEvents: number;
  /** Days that still count an erased learner. */
  readonly daysBeforeErasure: number;
  /** Learner days that were aggregated before an opt-out. */
  readonly learnerDaysBeforeOptOut: number;
  /** Learners who have opted back in and whose days are not marked yet. */
  readonly waitingReturns: number;
}

/** Collects the outcomes of an examination; memory is bounded by the number of checks. */
export class Outcomes {
  readonly #outcomes = new Map<AnalyticsCheckName, CheckOutcome>();

  add(check: AnalyticsCheckName, rows: readonly DatasetDifferenceRow[]): void {
    const [first] = rows;
    if (first === undefined) return;
    const known = this.#outcomes.get(check);
    const earlier = (a: Day, b: Day) => (a < b ? a : b);
    const later = (a: Day, b: Day) => (a > b ? a : b);
    const range = { from: first.first_day, to: first.last_day };
    this.#outcomes.set(check, {
      check,
      found: (known?.found ?? 0) + first.found,
      examples: [...(known?.examples ?? []), ...rows].slice(0, 50),
      range:
        known === undefined
          ? range
          : { from: earlier(known.range.from, range.from), to: later(known.range.to, range.to) },
    });
  }

  all(): readonly CheckOutcome[] {
    return [...this.#outcomes.values()];
  }

  of(check: AnalyticsCheckName): CheckOutcome | undefined {
    return this.#outcomes.get(check);
  }

  /** Returns these outcomes without what an earlier examination did not find. */
  confirming(earlier: Outcomes): Outcomes {
    const confirmed = new Outcomes();
    for (const outcome of this.all()) {
      const before = earlier.of(outcome.check);
      if (before === undefined) continue;
      const isComplete = before.found === before.examples.length;
      const known = new Set(before.examples.map(({ id, field }) => JSON.stringify([id, field])));
      const examples = isComplete
        ? outcome.examples.filter(({ id, field }) => known.has(JSON.stringify([id, field])))
        : outcome.examples;
      const found = isComplete ? examples.length : Math.min(outcome.found, before.found);
      if (examples.length > 0) confirmed.#outcomes.set(outcome.check, { ...outcome, found, examples });
    }
    return confirmed;
  }

  /** The datasets whose tables of running totals are wrong. */
  wrongTotals(): readonly DatasetName[] {
    return datasetNames.filter((name) => this.#outcomes.has(`totals_${name}`));
  }

  /** The range from the first to the last day with a wrong derived value; null if there is none. */
  damagedRange(): DayRange | null {
    const ranges = this.all()
      .filter(({ check }) => derived.has(check))
      .map(({ range }) => range);
    if (ranges.length === 0) return null;
    return {
      from: ranges.map(({ from }) => from).sort()[0] as Day,
      to: ranges
        .map(({ to }) => to)
        .sort()
        .at(-1) as Day,
    };
  }
}
