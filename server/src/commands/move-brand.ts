import { BackupError } from '../backup/backup-error.ts';
import { isCellName } from '../brands/cell.ts';
import { explained } from '../serve/backup-job.ts';
import type { BrandMover, CellAddresses, MoveOptions } from '../serve/brand-mover.ts';
import { loadBrandMover } from '../serve/load-extensions.ts';
import { openEngine, openInstallation } from '../serve/open-installation.ts';
import { packageVersion } from '../serve/package-version.ts';
import { StartError } from '../serve/start-error.ts';
import type { CommandContext } from './command.ts';
import { dataSize } from './text-output.ts';

// The commands of a move. They throw StartError and BackupError.

export async function closeBrand(context: CommandContext, id: string): Promise<number> {
  const brandId = brandIdOf(id);
  const name = await move(context, 'The brand is not completely closed', (mover, cell) =>
    mover.close(cell, brandId),
  );
  context.write(`Brand ${id} (${name}) is closed: its requests get 503, and nothing of it changes.\n`);
  return 0;
}

export async function exportBrand(context: CommandContext, id: string, file: string): Promise<number> {
  const brandId = brandIdOf(id);
  const { tables, rows, bytes } = await move(context, 'Nothing was exported', (mover, cell, options) =>
    mover.exportTo(cell, brandId, file, options),
  );
  context.write(`${file}: brand ${id}, ${tables} tables, ${rows} rows, ${dataSize(bytes)}.\n`);
  return 0;
}

export async function importBrand(context: CommandContext, file: string): Promise<number> {
  const { brandId, name, tables, rows } = await move(
    context,
    'Nothing was imported',
    (mover, cell, options) => mover.importFrom(cell, file, options),
  );
  context.write(`Brand ${brandId} (${name}) is open here: ${tables} tables, ${rows} rows.\n`);
  return 0;
}

export async function listKeys(
  context: CommandContext,
  id: string | undefined,
  cellName: string | undefined,
): Promise<number> {
  if (cellName !== undefined && !isCellName(cellName)) {
    context.tell('--cell must be two lower-case hexadecimal digits.\n');
    return 2;
  }
  const brandId = id === undefined ? null : brandIdOf(id);
  const names = await move(context, 'Nothing was listed', (mover, cell) => mover.listKeys(cell, brandId));
  const suffix = cellName === undefined ? '' : ` cell_${cellName}`;
  context.write(names.map((name) => `${name}${suffix}\n`).join(''));
  return 0;
}

export async function removeBrand(context: CommandContext, id: string): Promise<number> {
  const brandId = brandIdOf(id);
  const outcome = 'The brand is not completely removed; run the command again';
  const rows = await move(context, outcome, (mover, cell, options) => mover.remove(cell, brandId, options));
  context.write(`Brand ${id} was removed: ${rows} rows.\n`);
  return 0;
}

export async function openBrand(
  context: CommandContext,
  id: string,
  abandonsExport: boolean,
): Promise<number> {
  const brandId = brandIdOf(id);
  await move(context, 'The brand is not completely open', (mover, cell) =>
    mover.open(cell, brandId, abandonsExport),
  );
  context.write(`Brand ${id} is open.\n`);
  return 0;
}

/** Runs a part of a move. @param outcome the first sentence of an error that arguments and data do not explain */
async function move<T>(
  { config, log, cancelled }: CommandContext,
  outcome: string,
  work: (mover: BrandMover, cell: CellAddresses, options: MoveOptions) => Promise<T>,
): Promise<T> {
  await using closing = new AsyncDisposableStack();
  const { main, analytics } = await openInstallation(config, log, closing);
  try {
    const cell = {
      main: main.address,
      analytics: config.analyticsUrl === null ? null : analytics,
      engine: await openEngine(config.engineUrl, closing),
    };
    return await work(await loadBrandMover(), cell, { version: packageVersion, log, cancelled });
  } catch (error) {
    if (error instanceof BackupError && !cancelled.aborted) throw error;
    throw explained(error, cancelled, outcome);
  }
}

/** @throws StartError when the text can be no brand's id */
function brandIdOf(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 2_147_483_647)
    throw new StartError(`There is no brand ${text}.`);
  return Number(text);
}
