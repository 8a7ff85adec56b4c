import { BackupError } from '../backup/backup-error.ts';
import { closeBrand, openBrand } from '../backup/brand/close-brand.ts';
import { type ExportedBrand, exportBrand } from '../backup/brand/export-brand.ts';
import { type ImportedBrand, importBrand } from '../backup/brand/import-brand.ts';
import { type CellAddresses, withCell } from '../backup/brand/move-connection.ts';
import { listCredentials } from '../backup/brand/queries/list-credentials.ts';
import { removeBrand } from '../backup/brand/remove-brand.ts';
import { openBackup } from '../backup/check-backup.ts';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { explained } from './backup-command.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { openEngine } from './open-engine.ts';
import { requireAnalytics } from './require-analytics.ts';
import { StartError } from './start-error.ts';

export interface MoveContext {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

/** `brandport brand close`: returns the name of the brand. @throws StartError, BackupError */
export function runCloseBrand(context: MoveContext, brand: string): Promise<string> {
  const brandId = brandIdOf(brand);
  return onCell(context, 'The brand is not completely closed', (addresses) =>
    withCell(addresses, async (cell) => (await closeBrand(cell, brandId)).name),
  );
}

/** `brandport brand open`. @throws StartError, BackupError */
export function runOpenBrand(context: MoveContext, brand: string, abandonsExport: boolean): Promise<void> {
  const brandId = brandIdOf(brand);
  return onCell(context, 'The brand is not completely open', (addresses) =>
    withCell(addresses, (cell) => openBrand(cell, brandId, abandonsExport)),
  );
}

/** `brandport brand export`. @throws StartError, BackupError */
export function runExportBrand(context: MoveContext, brand: string, file: string): Promise<ExportedBrand> {
  const brandId = brandIdOf(brand);
  return onCell(context, 'Nothing was exported', (addresses) =>
    exportBrand(addresses, brandId, file, context),
  );
}

/** `brandport brand import`: the file is checked before anything is written. @throws StartError, BackupError */
export function runImportBrand(context: MoveContext, file: string): Promise<ImportedBrand> {
  return onCell(context, 'Nothing was imported', async (addresses) => {
    const backup = await openBackup(file, context.cancelled, 'brand');
    try {
      return await importBrand(backup, addresses, context);
    } finally {
      await backup.reader.close();
    }
  });
}

/** `brandport brand remove`: returns the number of rows. @throws StartError, BackupError */
export function runRemoveBrand(context: MoveContext, brand: string): Promise<number> {
  const brandId = brandIdOf(brand);
  return onCell(context, 'The brand is not completely removed; run the command again', (addresses) =>
    withCell(addresses, (cell) => removeBrand(cell, brandId, context)),
  );
}

/** `brandport brand keys`: the names under which a proxy's map finds the brand's keys. @throws StartError, BackupError */
export function runListCredentials(context: MoveContext, brand: string | undefined): Promise<string[]> {
  const brandId = brand === undefined ? null : brandIdOf(brand);
  return onCell(context, 'Nothing was listed', (addresses) =>
    withCell(addresses, ({ main }) => listCredentials(main.client, brandId)),
  );
}

function brandIdOf(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 2_147_483_647)
    throw new StartError(`There is no brand ${text}.`);
  return Number(text);
}

async function onCell<T>(
  { config, log, cancelled }: MoveContext,
  outcome: string,
  work: (addresses: CellAddresses) => Promise<T>,
): Promise<T> {
  let engine: OpenEngine | null = null;
  const main = await openDatabaseAsItIs(config, log);
  try {
    const analytics = config.analyticsUrl === null ? null : { url: config.analyticsUrl };
    await requireAnalytics(analytics ?? main.address);
    engine = await openEngine(config.engineUrl);
    return await work({ main: main.address, analytics, engine });
  } catch (error) {
    if (error instanceof BackupError && !cancelled.aborted) throw error;
    throw explained(error, cancelled, outcome);
  } finally {
    await engine?.close();
    await main.stop();
  }
}
