import type { ClickHouse } from '../../../analytics/store/clickhouse/clickhouse.ts';
import { BackupError } from '../../backup-error.ts';
import { requireIdentity } from '../../clickhouse/clickhouse-identity-store.ts';
import type { Manifest } from '../../manifest.ts';
import { findClickHouseRecords } from '../../queries/read-clickhouse-records.ts';
import type { OpenCell } from '../move-connection.ts';

/**
 * Returns the ClickHouse with the events and datasets of the cell; null: they are in PostgreSQL.
 * @throws BackupError if that is not what is configured
 */
export async function findOwnRows({ analytics, clickHouse }: OpenCell): Promise<ClickHouse | null> {
  const records = await findClickHouseRecords(analytics.client);
  if (records !== null) return requireIdentity(clickHouse, records);
  if (clickHouse === null) return null;
  throw new BackupError(
    'The events of the analytics store are in PostgreSQL: unset BRANDPORT_CLICKHOUSE_URL, or move them with ' +
      '`brandport analytics copy`.',
  );
}

/**
 * Checks that both cells have events in the same engine [D215].
 * @throws BackupError
 */
export function requireSameEngine({ clickhouse }: Manifest, hasClickHouse: boolean): void {
  if (hasClickHouse === (clickhouse !== undefined)) return;
  throw new BackupError(
    hasClickHouse
      ? "The brand's cell has its events in PostgreSQL, this cell in ClickHouse. Open the brand there, move that cell's events " +
          'with `brandport analytics copy`, and export the brand again. Nothing was written.'
      : "The brand's cell has its events in ClickHouse, this cell in PostgreSQL. Move this cell's events with " +
          '`brandport analytics copy`, and import the file again. Nothing was written.',
  );
}
