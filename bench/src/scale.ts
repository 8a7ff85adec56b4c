/** The size of the data and the duration of the measurements. */
export interface Scale {
  readonly name: 'full' | 'quick';
  /** Brand A: every product has 3 variants. */
  readonly smallProducts: number;
  /** Brand B. */
  readonly largeProducts: number;
  /** Products of brand B that have 3 variants. */
  readonly largeWithVariants: number;
  /** Learner x content x day rows of the analytics brand. */
  readonly analyticsRows: number;
  /** The same in ClickHouse. */
  readonly clickHouseRows: number;
  readonly rounds: number;
  /** Seconds of one round. */
  readonly roundSeconds: number;
  readonly warmUpSeconds: number;
}

export const scales: Readonly<Record<Scale['name'], Scale>> = {
  full: {
    name: 'full',
    smallProducts: 1_000,
    largeProducts: 1_000_000,
    largeWithVariants: 100_000,
    analyticsRows: 10_000_000,
    clickHouseRows: 50_000_000,
    rounds: 5,
    roundSeconds: 4,
    warmUpSeconds: 8,
  },
  quick: {
    name: 'quick',
    smallProducts: 200,
    largeProducts: 5_000,
    largeWithVariants: 500,
    analyticsRows: 50_000,
    clickHouseRows: 50_000,
    rounds: 1,
    roundSeconds: 0.5,
    warmUpSeconds: 0.5,
  },
};
