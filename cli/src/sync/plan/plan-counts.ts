/** The totals of a plan. */
export type PlanCounts = ReturnType<typeof noCounts>;

export function noCounts() {
  return {
    /** Products to create. */
    create: 0,
    /** Products with fields or a selection to change, and variants with fields to change. */
    patch: 0,
    /** Products whose variants are generated, and those variants. */
    generate: 0,
    generatedVariants: 0,
    /** Variants to create one by one. */
    createVariants: 0,
    /** Axes, axis values and locations to create or change. */
    axisLibrary: 0,
    /** Products and variants of the input that are stored as the input wants them. */
    same: 0,
    feeds: 0,
    feedLines: 0,
    /** Stock levels that are stored as the input wants them. */
    sameLevels: 0,
    /** Stock rows that are older than the stored level: a feed would not apply them. */
    staleLevels: 0,
    /** Active products of the brand that are not in the input. */
    missing: 0,
    /** Those that the plan archives. */
    archive: 0,
    /** Products of the brand, and those of them that are active. */
    stored: 0,
    active: 0,
    problems: 0,
    /** Requests that applying the plan sends. */
    writes: 0,
    reads: 0,
  };
}
