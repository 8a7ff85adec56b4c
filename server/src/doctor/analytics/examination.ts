import type { Day, DayRange } from '../../analytics/day.ts';
import { aggregates } from './invariants/analytics-invariant.ts';
import { analyticsInvariants } from './invariants/analytics-invariants.ts';
import type { DatasetDifferenceRow } from './queries/find-dataset-differences.ts';

/** Checks whose differences an aggregation of the days repairs. */
const derived: ReadonlySet<string> = new Set(
  analyticsInvariants.filter(({ repair }) => repair === aggregates).map(({ id }) => id),
);

/** The differences of one check in one brand: their number, a few examples, and the range of their days. */
export interface CheckOutcome {
  /** The id of its invariant. */
  readonly check: string;
  readonly isRepairable: boolean;
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
  readonly #outcomes = new Map<string, CheckOutcome>();

  /** @param isRepairable default: true for what an aggregation replaces */
  add(check: string, rows: readonly DatasetDifferenceRow[], isRepairable = derived.has(check)): void {
    const [first] = rows;
    if (first === undefined) return;
    const known = this.#outcomes.get(check);
    const earlier = (a: Day, b: Day) => (a < b ? a : b);
    const later = (a: Day, b: Day) => (a > b ? a : b);
    const range = { from: first.first_day, to: first.last_day };
    this.#outcomes.set(check, {
      check,
      isRepairable,
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

  of(check: string): CheckOutcome | undefined {
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
