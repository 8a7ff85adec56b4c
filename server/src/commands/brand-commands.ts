import type { AddCommands } from './command.ts';

export const addBrandCommands: AddCommands = (program, run) => {
  const brand = program.command('brand').description('administer brands, and move them from cell to cell');
  brand
    .command('create')
    .argument('<name>', 'shown to operators')
    .description('create a brand and print its id; works with and without a running server')
    .option('--currency <code>', 'ISO 4217, for products without a currency; default: EUR')
    .option('--language <tag>', 'BCP 47, for products without a language; default: en')
    .action((name, options) =>
      run(async (context) => (await import('./create-brand.ts')).createBrandOf(context, name, options)),
    );
  addMove(brand, run);
  program
    .command('key')
    .description('administer API keys')
    .command('create')
    .description('issue an API key and print it, once; works with and without a running server')
    .requiredOption('--brand <id>', 'the brand whose data the key opens')
    .requiredOption('--scopes <scopes>', 'comma-separated, such as catalog.products:read; or all')
    .option('--name <name>', 'a label, such as the system that uses the key', 'command line')
    .option('--expires <time>', 'when the key expires, such as 2028-01-01T00:00:00Z; default: never')
    .action((args) => run(async (context) => (await import('./create-brand.ts')).createKeyOf(context, args)));
};

/** The commands of a move, in their order: docs/scale.md describes it. */
const addMove: AddCommands = (brand, run) => {
  brand
    .command('close')
    .argument('<id>', 'the id of the brand')
    .description('refuse all requests of a brand with 503 and keep it from changing, to export it')
    .action((id) => run(async (context) => (await import('./move-brand.ts')).closeBrand(context, id)));
  brand
    .command('export')
    .argument('<id>', 'the id of a closed brand')
    .requiredOption('--out <file>', 'a file that does not exist yet')
    .description('write all rows of a closed brand to a file')
    .action((id, { out }) =>
      run(async (context) => (await import('./move-brand.ts')).exportBrand(context, id, out)),
    );
  brand
    .command('import')
    .argument('<file>', 'a file that `brandport brand export` wrote')
    .description('add the brand of a file to this cell and open it; everything or nothing')
    .action((file) => run(async (context) => (await import('./move-brand.ts')).importBrand(context, file)));
  brand
    .command('keys')
    .argument('[id]', 'the id of a brand; default: all')
    .option('--cell <cell>', 'print lines of the map of moved keys, which lead to this cell')
    .description('print the ids of keys and the SHA-256 of feed tokens')
    .action((id, { cell }) =>
      run(async (context) => (await import('./move-brand.ts')).listKeys(context, id, cell)),
    );
  brand
    .command('remove')
    .argument('<id>', 'the id of a closed and exported brand')
    .description('delete all rows of a brand that lives in another cell now')
    .action((id) => run(async (context) => (await import('./move-brand.ts')).removeBrand(context, id)));
  brand
    .command('open')
    .argument('<id>', 'the id of a closed brand')
    .option('--abandon-export', 'although it was exported: the file is not and will not be imported')
    .description('open a closed brand again, which ends its move')
    .action((id, { abandonExport = false }) =>
      run(async (context) => (await import('./move-brand.ts')).openBrand(context, id, abandonExport)),
    );
};
