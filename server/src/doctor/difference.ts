/** A stored value that does not match the data from which it derives. */
export interface Finding {
  readonly check: string;
  readonly brandId: number;
  /** The readable name of the row: a `tu_id`, a SKU, a SKU and a location. */
  readonly id: string;
  readonly field: string;
  readonly stored: string | null;
  /** The value that follows from the rest of the database. */
  readonly actual: string | null;
  /** false if two values contradict each other and nothing shows which is correct. */
  readonly isRepairable: boolean;
  readonly isRepaired: boolean;
}

/** Differences that are only counted: an examination reports a few of each check individually. */
export interface MoreDifferences {
  readonly check: string;
  readonly brandId: number;
  readonly found: number;
  readonly repaired: number;
}
