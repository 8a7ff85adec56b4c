import type { BrandArguments } from '../serve/brand-commands.ts';
import type { AddCommand, CommandContext } from './command.ts';

export const addBrand: AddCommand = (program, run) => {
  program
    .command('brand')
    .description('administer brands')
    .command('create')
    .argument('<name>', 'shown to operators')
    .description('create a brand and print its id; works with and without a running server')
    .option('--currency <code>', 'ISO 4217, for products without a currency; default: EUR')
    .option('--language <tag>', 'BCP 47, for products without a language; default: en')
    .action((name, options) => run((context) => createBrand(context, { ...options, name })));
};

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
