import type { ExaminedStore } from '../../../../server/src/doctor/analytics/examined-store.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { examineClickHouse } from './examine-clickhouse.ts';
import { withdrawWrongTotals } from './totals-repair-store.ts';

/** A store whose events and datasets are in ClickHouse. */
export function examinedClickHouse(database: Database, clickHouse: ClickHouse): ExaminedStore {
  return {
    database,
    examine: (main, brandId, cancelled) =>
      examineClickHouse(main, { store: database, clickHouse }, brandId, cancelled),
    beginRepair: (brandId, outcomes) => withdrawWrongTotals(database, brandId, outcomes),
  };
}
