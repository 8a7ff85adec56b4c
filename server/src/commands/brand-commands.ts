import type { AddCommands } from './command.ts';

/** The command line has the same commands over HTTP, and hands these over with the option. */
const database = 'write to the database of the settings, as these commands always do';

export const addBrandCommands: AddCommands = (program, run) => {
  const brands = program.command('brands').description('create brands');
  brands
    .command('create')
    .argument('<name>', 'shown to operators')
    .description('create a brand and print its id; works with and without a running server')
    .option('--database', database)
    .option('--currency <code>', 'ISO 4217, for products without a currency; default: EUR')
    .option('--language <tag>', 'BCP 47, for products without a language; default: en')
    .action((name, options) =>
      run(async (context) => (await import('./create-brand.ts')).createBrandOf(context, name, options)),
    );
  program
    .command('keys')
    .description('create API keys')
    .command('create')
    .description('issue an API key and print it, once; works with and without a running server')
    .option('--database', database)
    .requiredOption('--brand <id>', 'the brand whose data the key opens')
    .requiredOption('--scopes <scopes>', 'comma-separated, such as catalog.products:read; or all')
    .option('--name <name>', 'a label, such as the system that uses the key', 'command line')
    .option('--expires <time>', 'when the key expires, such as 2028-01-01T00:00:00Z; default: never')
    .action((args) => run(async (context) => (await import('./create-brand.ts')).createKeyOf(context, args)));
};
