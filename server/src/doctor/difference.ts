/** A figure that is kept beside what it follows from, and says something else. */
export interface Difference {
  /** The name of the check that found it. */
  readonly check: string;
  readonly brandId: number;
  /** What it is about, as a person finds it: a `tu_id`, a SKU, a SKU and a location. */
  readonly id: string;
  /** The column or property. */
  readonly field: string;
  /** What is kept; null: nothing is. */
  readonly stored: string | null;
  /** What follows from the rest of the database. */
  readonly actual: string | null;
  /** false: two things that cannot both be true, and no third that could tell which is. */
  readonly isRepairable: boolean;
}

/** Differences that are only counted: an examination tells a few of each check one by one. */
export interface MoreDifferences {
  readonly check: string;
  readonly brandId: number;
  readonly found: number;
  readonly repaired: number;
}

/** A difference, and whether it is gone now. */
export interface Finding extends Difference {
  readonly isRepaired: boolean;
}
