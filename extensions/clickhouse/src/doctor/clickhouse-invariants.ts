import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import type { Invariant } from '../../../../server/src/doctor/invariant.ts';

const totalsOf = (dataset: DatasetName): Invariant => ({
  id: `totals_${dataset}`,
  tables: [`clickhouse.totals_${dataset}`, `clickhouse.${dataset}`, 'analytics.running_totals'],
  holds: `The running totals of \`${dataset}\` in ClickHouse have one row for each key of the published days that they include, with the sums of these days.`,
  repair: 'withdraws them; the housekeeping writes new ones',
});

/** Invariants of stores in ClickHouse. Damage cases: `tests/clickhouse-doctor.test.ts`, `tests/totals-damages.ts`. */
export const clickHouseInvariants: readonly Invariant[] = [
  ...datasetNames.map(totalsOf),
  {
    id: 'unread_rows',
    tables: ['all tables in ClickHouse'],
    holds:
      'A row that is older than an hour belongs to a committed batch or to a published generation, or the housekeeping knows it and deletes it.',
    repair: 'nothing: the housekeeping deletes those that it knows',
  },
];
