import type { AggregateArguments } from '../serve/aggregate-command.ts';
import type { AddCommand, CommandContext } from './command.ts';

export const addAggregate: AddCommand = (program, run) => {
  program
    .command('aggregate')
    .description('aggregate learning analytics: the pending days, like the nightly run, or the given days')
    .option('--brand <id>', 'only this brand')
    .option('--from <day>', 'first day, UTC, such as 2026-03-01')
    .option('--to <day>', 'last day; default: yesterday')
    .addHelpText(
      'after',
      '\nThe embedded database must not be in use by a server: there, use POST /internal/v1/brands/{id}/aggregations.',
    )
    .action((args) => run((context) => aggregate(context, args)));
};

async function aggregate(
  { config, log, stopping, write, exit }: CommandContext,
  args: AggregateArguments,
): Promise<never> {
  const { runAggregateCommand } = await import('../serve/aggregate-command.ts');
  const outcome = await runAggregateCommand(config, args, log, stopping());
  write(`${JSON.stringify(outcome)}\n`);
  return exit(0);
}
