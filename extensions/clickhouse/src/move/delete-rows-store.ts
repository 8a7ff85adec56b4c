import type pg from 'pg';
import { lockDatasets } from '../../../../server/src/analytics/store/coordination/aggregation-lock.ts';
import type { Attended } from '../../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../../server/src/backup/backup-error.ts';
import { inTransaction } from '../../../../server/src/postgres/client-transaction.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { tryLockDeletions } from '../store/coordination/deletion-lock.ts';
import { generationTables } from '../store/dataset-shape.ts';

/**
 * Deletes all rows of a brand that no request reads from ClickHouse, and returns their number. Yields to a backup, as all
 * deletions do [D205], and waits for the housekeeping of the brand.
 * @throws BackupError while a backup is being written
 */
export function deleteAllRows(
  clickHouse: ClickHouse,
  client: pg.Client,
  brandId: number,
  { log, cancelled }: Attended,
): Promise<number> {
  return inTransaction(client, async (tx) => {
    await lockDatasets(tx, brandId);
    let deleted = 0;
    for (const table of ['learning_events', ...generationTables]) {
      cancelled.throwIfAborted();
      const rows = await clickHouse.count(table, `brand_id = ${brandId}`);
      if (rows === 0) continue;
      if (!(await tryLockDeletions(tx)))
        throw new BackupError(
          'A backup is being written, which reads rows that are to be deleted. Run the command again when it is done.',
        );
      await clickHouse.run(`delete from ${table} where brand_id = ${brandId}`, { signal: cancelled });
      log('info', `clickhouse.${table}: ${rows} rows removed`);
      deleted += rows;
    }
    return deleted;
  });
}
