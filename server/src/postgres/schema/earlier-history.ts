/**
 * The migrations before `0001-schema`, which replaced them [D79]. A database that has all of them has the tables of
 * `0001-schema`: its bookkeeping is rewritten, and no row changes.
 */
export interface EarlierHistory {
  /** Names and the first 16 hexadecimal digits of the checksums, in order. */
  readonly migrations: readonly (readonly [name: string, checksum: string])[];
  /** The views and routines that these migrations created. */
  readonly objects: readonly string[];
  /** A file in the folder of the line that adds what `0001-schema` has in addition; null: nothing. */
  readonly file: string | null;
}

export const earlierMainHistory: EarlierHistory = {
  migrations: [
    ['0001-foundation', '7a97c49652744689'],
    ['0002-catalog', '74c025fa15fa9d56'],
    ['0003-directory', 'a7ed1c7feec8c58e'],
    ['0004-catalog-versions', 'c2b0417f46ef481b'],
    ['0005-write-speed', 'bb27fcd07720de41'],
    ['0006-feed-speed', '7f0b1f0c4310fca8'],
    ['0007-claims-and-adjustments', '2332e1bede1e46c7'],
    ['0008-unambiguous-indexes', '641634bc14e8ad04'],
    ['0009-learner-returns', '3c5cca0447a502f3'],
    ['0010-overlapping-keys', '55cd62496f86bd5c'],
  ],
  objects: [
    'views/product-stock-truth',
    'views/variant-stock',
    'views/product-variant-truth',
    'routines/claim-idempotency-key',
    'routines/adjust-stock',
    'routines/note-learner-return',
  ],
  file: 'earlier.sql',
};

export const earlierAnalyticsHistory: EarlierHistory = {
  migrations: [
    ['0001-events', '603b7d77db243c95'],
    ['0002-datasets', '94488484132999d8'],
    ['0003-event-partitions', '856d6b74a73ceeea'],
    ['0004-partition-readers', '0e4ea38b02ae8c51'],
  ],
  objects: ['routines/make-event-partition', 'routines/drop-events-before'],
  file: null,
};
