import type { Database } from '../../../../../server/src/postgres/database.ts';
import type { ClickHouse } from '../clickhouse.ts';

/** The databases that the upkeep works on. */
export interface KeptUp {
  readonly jobs: Database;
  readonly writes: Database;
  readonly clickHouse: ClickHouse;
}
