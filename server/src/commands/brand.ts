import type { Command } from 'commander';
import { isCellName } from '../brands/cell.ts';
import type { BrandArguments } from '../serve/brand-commands.ts';
import type { BrandMover, CellAddresses } from '../serve/brand-mover.ts';
import type { AddCommand, CommandContext, RunAction } from './command.ts';
import { dataSize } from './data-size.ts';

export const addBrand: AddCommand = (program, run) => {
  const brand = program.command('brand').description('administer brands, and move them from cell to cell');
  brand
    .command('create')
    .argument('<name>', 'shown to operators')
    .description('create a brand and print its id; works with and without a running server')
    .option('--currency <code>', 'ISO 4217, for products without a currency; default: EUR')
    .option('--language <tag>', 'BCP 47, for products without a language; default: en')
    .action((name, options) => run((context) => createBrand(context, { ...options, name })));
  addMove(brand, run);
};

/** The commands of a move, in their order: docs/scale.md describes it. */
function addMove(brand: Command, run: RunAction): void {
  brand
    .command('close')
    .argument('<id>', 'the id of the brand')
    .description('refuse all requests of a brand with 503 and keep it from changing, to export it')
    .action((id) => run((context) => closeBrand(context, id)));
  brand
    .command('export')
    .argument('<id>', 'the id of a closed brand')
    .requiredOption('--out <file>', 'a file that does not exist yet')
    .description('write all rows of a closed brand to a file')
    .action((id, { out }) => run((context) => exportBrand(context, id, out)));
  brand
    .command('import')
    .argument('<file>', 'a file that `brandport brand export` wrote')
    .description('add the brand of a file to this cell and open it; everything or nothing')
    .action((file) => run((context) => importBrand(context, file)));
  brand
    .command('keys')
    .argument('[id]', 'the id of a brand; default: all')
    .option('--cell <cell>', 'print lines of the map of moved keys, which lead to this cell')
    .description('print the ids of keys and the SHA-256 of feed tokens')
    .action((id, { cell }) => run((context) => listKeys(context, id, cell)));
  brand
    .command('remove')
    .argument('<id>', 'the id of a closed and exported brand')
    .description('delete all rows of a brand that lives in another cell now')
    .action((id) => run((context) => removeBrand(context, id)));
  brand
    .command('open')
    .argument('<id>', 'the id of a closed brand')
    .option('--abandon-export', 'although it was exported: the file is not and will not be imported')
    .description('open a closed brand again, which ends its move')
    .action((id, { abandonExport = false }) => run((context) => openBrand(context, id, abandonExport)));
}

async function createBrand(
  { config, log, write, tell }: CommandContext,
  args: BrandArguments,
): Promise<number> {
  const { runCreateBrand } = await import('../serve/brand-commands.ts');
  const id = await runCreateBrand(config, log, args);
  write(`${id}\n`);
  tell(
    `Brand ${id} was created. A key for it: npx brandport key create --brand ${id} --scopes all --name PIM\n`,
  );
  return 0;
}

async function moveOf({ config, version, log, stopping }: CommandContext) {
  const { brandIdOf, runMoveBrand } = await import('../serve/move-brand-command.ts');
  const options = { version, log, cancelled: stopping() };
  const run = <T>(outcome: string, work: (mover: BrandMover, cell: CellAddresses) => Promise<T>) =>
    runMoveBrand({ ...options, config }, outcome, work);
  return { brandIdOf, options, run };
}

async function closeBrand(context: CommandContext, id: string): Promise<number> {
  const { brandIdOf, run } = await moveOf(context);
  const brandId = brandIdOf(id);
  const name = await run('The brand is not completely closed', (mover, cell) => mover.close(cell, brandId));
  context.write(`Brand ${id} (${name}) is closed: its requests get 503, and nothing of it changes.\n`);
  return 0;
}

async function exportBrand(context: CommandContext, id: string, file: string): Promise<number> {
  const { brandIdOf, options, run } = await moveOf(context);
  const brandId = brandIdOf(id);
  const { tables, rows, bytes } = await run('Nothing was exported', (mover, cell) =>
    mover.exportTo(cell, brandId, file, options),
  );
  context.write(`${file}: brand ${id}, ${tables} tables, ${rows} rows, ${dataSize(bytes)}.\n`);
  return 0;
}

async function importBrand(context: CommandContext, file: string): Promise<number> {
  const { options, run } = await moveOf(context);
  const { brandId, name, tables, rows } = await run('Nothing was imported', (mover, cell) =>
    mover.importFrom(cell, file, options),
  );
  context.write(`Brand ${brandId} (${name}) is open here: ${tables} tables, ${rows} rows.\n`);
  return 0;
}

async function listKeys(
  context: CommandContext,
  id: string | undefined,
  cellName: string | undefined,
): Promise<number> {
  const { brandIdOf, run } = await moveOf(context);
  if (cellName !== undefined && !isCellName(cellName)) {
    context.tell('--cell must be two lower-case hexadecimal digits.\n');
    return 2;
  }
  const brandId = id === undefined ? null : brandIdOf(id);
  const names = await run('Nothing was listed', (mover, cell) => mover.listKeys(cell, brandId));
  const suffix = cellName === undefined ? '' : ` cell_${cellName}`;
  context.write(names.map((name) => `${name}${suffix}\n`).join(''));
  return 0;
}

async function removeBrand(context: CommandContext, id: string): Promise<number> {
  const { brandIdOf, options, run } = await moveOf(context);
  const brandId = brandIdOf(id);
  const rows = await run('The brand is not completely removed; run the command again', (mover, cell) =>
    mover.remove(cell, brandId, options),
  );
  context.write(`Brand ${id} was removed: ${rows} rows.\n`);
  return 0;
}

async function openBrand(context: CommandContext, id: string, abandonsExport: boolean): Promise<number> {
  const { brandIdOf, run } = await moveOf(context);
  const brandId = brandIdOf(id);
  await run('The brand is not completely open', (mover, cell) => mover.open(cell, brandId, abandonsExport));
  context.write(`Brand ${id} is open.\n`);
  return 0;
}
