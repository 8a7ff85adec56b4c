import type { Invariant } from '../../invariants/invariant.ts';

export interface AnalyticsInvariant extends Invariant {
  readonly finds: readonly AnalyticsFind[];
}

/** A query for differences, for the brand `$1`. */
export interface AnalyticsFind {
  /** The values after the brand: none, its market ids `$2`, or a batch of ids above `$2`, up to and including `$3`. */
  readonly by: 'brand' | 'markets' | 'learners' | 'claims';
  /** Selects `day`, `id`, `field`, `stored` and `actual`. */
  readonly sql: string;
}

export const aggregates = 'aggregates from the first damaged day to the last';
