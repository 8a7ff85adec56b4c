import type pg from 'pg';
import { recordAudit } from '../../../server/src/audit/audit-store.ts';
import type { Attended } from '../../../server/src/backup/backed-engine.ts';
import { BackupError } from '../../../server/src/backup/backup-error.ts';
import { inTransaction } from '../../../server/src/postgres/client-transaction.ts';
import type { BrandTable } from './brand-tables-store.ts';
import { changeClosed, requireClosed } from './close-brand.ts';
import { passFence, removeFence } from './fence-store.ts';
import { deleteSomeRowsOf, lockMoves } from './import-store.ts';
import { findCellEngine, type OpenCell } from './move-connection.ts';

/** Rows of one transaction. */
const batchRows = 20_000;

/**
 * Deletes all rows of a closed and exported brand: first those in an engine, then the others in many short transactions; the
 * brand itself goes last. Safe to repeat after an interruption. Returns the number of rows.
 * @throws BackupError when the brand is open, was not exported, or does not exist; while a backup reads rows of an engine
 */
export async function removeBrand(
  cell: OpenCell,
  brandId: number,
  { log, cancelled }: Attended,
): Promise<number> {
  const { exportedAt, name } = await requireClosed(cell, brandId);
  if (exportedAt === null)
    throw new BackupError(`The brand ${brandId} was not exported since it was closed. Nothing was removed.`);
  // Triggers note deletions in the directory in other tables, which the second round empties.
  const rounds = [cell.analytics, cell.main, cell.main];
  const engine = await findCellEngine(cell);
  let removed = (await engine?.removeBrand(cell.analytics.client, brandId, { log, cancelled })) ?? 0;
  for (const { client, tables } of rounds)
    for (const table of tables.toReversed())
      removed += await emptyTable(client, table, { brandId, log, cancelled });
  await changeClosed(cell, brandId, 'brandport brand remove', async (tx) => {
    await lockMoves(cell.main.client);
    for (const table of cell.main.tables)
      if (table.brandColumn === 'id') await deleteSomeRowsOf(cell.main.client, table, brandId, 1);
    await recordAudit(tx, {
      action: 'brand.remove',
      brandId: null,
      resourceType: 'brand',
      resourceId: String(brandId),
      details: { name },
    });
  });
  for (const client of cell.clients) await removeFence(client, brandId);
  return removed + 1;
}

async function emptyTable(
  client: pg.Client,
  table: BrandTable,
  { brandId, log, cancelled }: Attended & { readonly brandId: number },
): Promise<number> {
  let removed = 0;
  if (table.brandColumn === 'id') return removed;
  for (let count = batchRows; count === batchRows; removed += count) {
    cancelled.throwIfAborted();
    count = await inTransaction(client, async () => {
      await passFence(client, brandId);
      return deleteSomeRowsOf(client, table, brandId, batchRows);
    });
  }
  if (removed > 0) log('info', `${table.schema}.${table.name}: ${removed} rows removed`);
  return removed;
}
