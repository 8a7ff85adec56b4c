import type { KeyArguments } from '../serve/brand-commands.ts';
import type { AddCommand, CommandContext } from './command.ts';

export const addKey: AddCommand = (program, run) => {
  program
    .command('key')
    .description('administer API keys')
    .command('create')
    .description('issue an API key and print it, once; works with and without a running server')
    .requiredOption('--brand <id>', 'the brand whose data the key opens')
    .requiredOption('--scopes <scopes>', 'comma-separated, such as catalog.products:read; or all')
    .option('--name <name>', 'a label, such as the system that uses the key', 'command line')
    .option('--expires <time>', 'when the key expires, such as 2028-01-01T00:00:00Z; default: never')
    .action((options) => run((context) => createKey(context, options)));
};

async function createKey({ config, log, write, tell }: CommandContext, args: KeyArguments): Promise<number> {
  const { runCreateKey } = await import('../serve/brand-commands.ts');
  const { apiKey, brandName } = await runCreateKey(config, log, args);
  write(`${apiKey}\n`);
  tell(`A key of brand ${args.brand} (${brandName}). It is not stored and cannot be shown again.\n`);
  return 0;
}
