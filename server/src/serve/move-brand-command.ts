import { BackupError } from '../backup/backup-error.ts';
import type { Config } from '../config.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { explained } from './backup-command.ts';
import type { BrandMover, CellAddresses, MoveOptions } from './brand-mover.ts';
import { openDatabaseAsItIs } from './doctor-database.ts';
import { loadBrandMover } from './load-extensions.ts';
import { openEngine } from './open-engine.ts';
import { requireAnalytics } from './require-analytics.ts';
import { StartError } from './start-error.ts';

/**
 * Runs a command that moves brands, on the databases of the settings.
 * @param outcome the first sentence of an error that neither the arguments nor the data explain
 * @throws StartError, BackupError
 */
export async function runMoveBrand<T>(
  { config, log, cancelled }: MoveOptions & { readonly config: Config },
  outcome: string,
  work: (mover: BrandMover, cell: CellAddresses) => Promise<T>,
): Promise<T> {
  let engine: OpenEngine | null = null;
  const main = await openDatabaseAsItIs(config, log);
  try {
    const analytics = config.analyticsUrl === null ? null : { url: config.analyticsUrl };
    await requireAnalytics(analytics ?? main.address);
    engine = await openEngine(config.engineUrl);
    return await work(await loadBrandMover(), { main: main.address, analytics, engine });
  } catch (error) {
    if (error instanceof BackupError && !cancelled.aborted) throw error;
    throw explained(error, cancelled, outcome);
  } finally {
    await engine?.close();
    await main.stop();
  }
}

/** @throws StartError when the text can be no brand's id */
export function brandIdOf(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 2_147_483_647)
    throw new StartError(`There is no brand ${text}.`);
  return Number(text);
}
