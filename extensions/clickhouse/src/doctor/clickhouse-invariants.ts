import type { Invariant } from '../../../../server/src/doctor/invariant.ts';

/** Invariants that only stores in ClickHouse have. Damage cases: `tests/clickhouse-doctor.test.ts`. */
export const clickHouseInvariants: readonly Invariant[] = [
  {
    id: 'unread_rows',
    tables: ['all datasets in ClickHouse', 'analytics.unpublished_generations'],
    holds:
      'A row of a dataset that is older than an hour is of a published generation, or the housekeeping knows it and deletes it.',
    repair: 'tells the housekeeping, which deletes it after 24 hours',
  },
];
