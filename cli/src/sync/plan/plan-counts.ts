/** The totals of a plan. */
export interface PlanCounts {
  /** Products to create. */
  create: number;
  /** Products with fields or a selection to change, and variants with fields to change. */
  patch: number;
  /** Products whose variants are generated, and those variants. */
  generate: number;
  generatedVariants: number;
  /** Variants to create one by one. */
  createVariants: number;
  /** Axes, axis values and locations to create or change. */
  axisLibrary: number;
  /** Products and variants of the input that are stored as the input wants them. */
  same: number;
  feeds: number;
  feedLines: number;
  /** Stock levels that are stored as the input wants them. */
  sameLevels: number;
  /** Stock rows that are older than the stored level: a feed would not apply them. */
  staleLevels: number;
  /** Active products of the brand that are not in the input. */
  missing: number;
  /** Those that the plan archives. */
  archive: number;
  /** Products of the brand, and those of them that are active. */
  stored: number;
  active: number;
  problems: number;
  /** Requests that applying the plan sends. */
  writes: number;
  reads: number;
}

export function noCounts(): PlanCounts {
  return {
    create: 0,
    patch: 0,
    generate: 0,
    generatedVariants: 0,
    createVariants: 0,
    axisLibrary: 0,
    same: 0,
    feeds: 0,
    feedLines: 0,
    sameLevels: 0,
    staleLevels: 0,
    missing: 0,
    archive: 0,
    stored: 0,
    active: 0,
    problems: 0,
    writes: 0,
    reads: 0,
  };
}

/** Returns whether applying the plan would write nothing. */
export function isEmpty({ writes }: PlanCounts): boolean {
  return writes === 0;
}
