import type { ClickHouse } from '../../analytics/store/clickhouse/clickhouse.ts';
import { BackupError } from '../backup-error.ts';
import type { ClickHouseRecords } from '../queries/read-clickhouse-records.ts';

/** Returns the given ClickHouse. @throws BackupError unless it is the database of the store that the records are of */
export async function requireIdentity(
  clickHouse: ClickHouse | null,
  { storeId }: Pick<ClickHouseRecords, 'storeId'>,
): Promise<ClickHouse> {
  if (clickHouse === null)
    throw new BackupError(
      'The events of the analytics store are in ClickHouse: set BRANDPORT_CLICKHOUSE_URL.',
    );
  const tables = await clickHouse.numbers(
    `select count() as tables from system.tables where database = currentDatabase() and name = 'store_identity'`,
  );
  const identity =
    tables[0] === 1 ? (await clickHouse.read('select id from store_identity')).replaceAll('"', '') : null;
  if (identity !== storeId)
    throw new BackupError(
      'The database of BRANDPORT_CLICKHOUSE_URL does not belong to this analytics store.',
    );
  return clickHouse;
}

/** Returns the version of the server. */
export async function readVersion(clickHouse: ClickHouse): Promise<string> {
  return (await clickHouse.read('select version()')).replaceAll('"', '');
}
