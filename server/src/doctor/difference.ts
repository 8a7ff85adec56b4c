/** A stored value that does not match the data from which it derives. */
export interface Difference {
  /** The name of the check that found it. */
  readonly check: string;
  readonly brandId: number;
  /** The readable name of the row: a `tu_id`, a SKU, a SKU and a location. */
  readonly id: string;
  /** The column or property. */
  readonly field: string;
  /** The stored value; null if there is none. */
  readonly stored: string | null;
  /** The value that follows from the rest of the database. */
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
