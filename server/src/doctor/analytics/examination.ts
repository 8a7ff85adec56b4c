import type { DayRange } from '../../analytics/day.ts';
import { aggregates } from './invariants/analytics-invariant.ts';
import { analyticsInvariants } from './invariants/analytics-invariants.ts';
import type { DatasetDifferenceRow } from './queries/find-dataset-differences.ts';

/** Checks whose differences an aggregation of the days repairs. */
const derived: ReadonlySet<string> = new Set(
  analyticsInvariants.filter(({ repair }) => repair === aggregates).map(({ id }) => id),
);

/** The differences of one check in one brand: their number, a few examples, and the range of their days. */
export interface CheckOutcome {
  readonly check: string;
  readonly isRepairable: boolean;
  readonly found: number;
  readonly examples: readonly DatasetDifferenceRow[];
  readonly range: DayRange;
}

/** Names what cannot be compared and is no difference, as reports for programs do, for those for people [internal-50]. */
export const skippedTexts = {
  dirty_days: 'days that are dirty',
  days_without_events: 'days whose raw events were dropped',
  days_before_erasure: 'days from before an erasure',
  learner_days_before_opt_out: 'learner days from before an opt-out or opt-in',
  waiting_returns: 'opt-ins whose days are not marked yet',
} as const;

export type Skipped = Readonly<Record<keyof typeof skippedTexts, number>>;

/** Collects the outcomes of an examination; memory is bounded by the number of checks. */
export class Outcomes {
  readonly #outcomes = new Map<string, CheckOutcome>();

  /** @param isRepairable default: true for what an aggregation replaces */
  add(check: string, rows: readonly DatasetDifferenceRow[], isRepairable = derived.has(check)): void {
    const [first] = rows;
    if (first === undefined) return;
    const known = this.#outcomes.get(check);
    const range = { from: first.first_day, to: first.last_day };
    this.#outcomes.set(check, {
      check,
      isRepairable,
      found: (known?.found ?? 0) + first.found,
      examples: [...(known?.examples ?? []), ...rows].slice(0, 50),
      range: known === undefined ? range : spanOf(known.range, range),
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
    return this.all()
      .filter(({ check }) => derived.has(check))
      .reduce<DayRange | null>((all, { range }) => (all === null ? range : spanOf(all, range)), null);
  }
}

function spanOf(a: DayRange, b: DayRange): DayRange {
  return { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to };
}
