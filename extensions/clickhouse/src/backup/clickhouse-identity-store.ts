import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import type { ClickHouse } from '../store/clickhouse.ts';

/** @throws BackupError unless it is the database of the store with the id */
export async function requireIdentity(clickHouse: ClickHouse, storeId: string): Promise<void> {
  const tables = await clickHouse.numbers(
    `select count() as tables from system.tables where database = currentDatabase() and name = 'store_identity'`,
  );
  const identity =
    tables[0] === 1 ? (await clickHouse.read('select id from store_identity')).replaceAll('"', '') : null;
  if (identity !== storeId)
    throw new BackupError(
      'The database of BRANDPORT_CLICKHOUSE_URL does not belong to this analytics store.',
    );
}

/** Returns the version of the server. */
export async function readVersion(clickHouse: ClickHouse): Promise<string> {
  return (await clickHouse.read('select version()')).replaceAll('"', '');
}
