import { engineNames } from '../../../server/src/analytics/store/coordination/engine-store.ts';
import { recordAudit } from '../../../server/src/audit/audit-store.ts';
import type { Attended } from '../../../server/src/backup/backed-engine.ts';
import type { CheckedBackup } from '../../../server/src/backup/check-backup.ts';
import type { BrandPart } from '../../../server/src/backup/manifest.ts';
import { transactionOf } from '../../../server/src/postgres/client-transaction.ts';
import { serverInitiator } from '../../../server/src/postgres/transaction.ts';
import type { CellAddresses, ImportedBrand } from '../../../server/src/serve/brand-mover.ts';
import { setClosed } from './brand-state-store.ts';
import { requireNew, requireSameEngine, requireSameEvents, requireSameSchema } from './check-import.ts';
import { resource } from './close-brand.ts';
import { removeFence } from './fence-store.ts';
import { type AddedRows, fillTables } from './fill-tables.ts';
import { advanceSequences, deleteRowsOf, keepEventDays, lockMoves, makeEventMonths } from './import-store.ts';
import { findCellEngine, type OpenCell, withCell } from './move-connection.ts';

/**
 * Adds the brand of a checked file to a cell and opens it, in one transaction. Rows of a separate analytics store are
 * committed right before, those of an engine count from the commit on; the next import or the upkeep replaces what a
 * crash leaves there [D215].
 * @throws BackupError if the cell has the brand, one of its unique ids, another schema, engine or other events than the
 * file; an error of the databases, or the reason of `cancelled`
 */
export async function importBrand(
  backup: CheckedBackup,
  addresses: CellAddresses,
  options: Attended,
): Promise<ImportedBrand> {
  const { manifest } = backup;
  const brand = manifest.brand as BrandPart;
  return withCell(addresses, async (cell) => {
    const { main, analytics, clients } = cell;
    await requireSameSchema(main, manifest.main);
    await requireSameSchema(analytics, manifest.analytics);
    const engine = await findCellEngine(cell);
    requireSameEngine(manifest, engine !== null);
    await requireNew(main.client, brand);
    await requireSameEvents(analytics.client, brand);
    // Left by an interrupted removal, if the brand has lived here before.
    for (const client of clients) await removeFence(client, brand.id);
    await makeEventMonths(analytics.client, manifest.analytics.event_months);
    await advanceSequences(main.client, brand.last_ids);

    for (const client of clients) await client.query('begin');
    await lockMoves(main.client);
    await requireNew(main.client, brand);
    const sum: AddedRows = { tables: 0, rows: 0 };
    const part = manifest[engineNames.part];
    if (engine === null || part === undefined) await addTables(cell, backup, sum, options);
    else {
      const into = {
        address: addresses.analytics ?? addresses.main,
        client: analytics.client,
        brandId: brand.id,
      };
      const added = await engine.importBrand(into, part, { reader: backup.reader, ...options }, (cancelled) =>
        addTables(cell, backup, sum, { ...options, cancelled }),
      );
      sum.tables += added.tables;
      sum.rows += added.rows;
    }
    await open(cell, brand, sum.rows);
    for (const client of clients) await client.query('commit');
    return { brandId: brand.id, name: brand.name, ...sum };
  });
}

/** Adds the rows of both schemas, in the transactions of the clients. */
async function addTables(
  { main, analytics }: OpenCell,
  { reader, manifest }: CheckedBackup,
  sum: AddedRows,
  options: Attended,
): Promise<void> {
  const brand = manifest.brand as BrandPart;
  await fillTables(main, { reader, part: manifest.main, sum }, options);
  // Interrupted imports stay known to the upkeep, which deletes what they have sent.
  const replaced = analytics.tables.filter(({ name }) => name !== 'generation_attempts');
  const left = await deleteRowsOf(analytics.client, replaced, brand.id);
  if (left > 0) options.log('info', `replacing ${left} rows that an interrupted import has left`);
  await fillTables(analytics, { reader, part: manifest.analytics, sum }, options);
  // Events may have been dropped since the first look.
  await keepEventDays(analytics.client);
  await requireSameEvents(analytics.client, brand);
}

/** Opens the imported brand, in the transaction of its rows. */
async function open({ main }: OpenCell, brand: BrandPart, rows: number): Promise<void> {
  const tx = { ...transactionOf(main.client), initiator: serverInitiator('brandport brand import') };
  await setClosed(tx, brand.id, false);
  await recordAudit(tx, {
    action: 'brand.import',
    ...resource(brand.id),
    details: { from_cell: brand.cell, rows },
  });
}
