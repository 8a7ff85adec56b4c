import type { PolicyOutcome } from '../retention/apply-retention.ts';
import type { AddCommand, CommandContext } from './command.ts';
import { textTable } from './text-table.ts';

interface RetainArguments {
  readonly json?: boolean;
}

export const addRetain: AddCommand = (program, run) => {
  program
    .command('retain')
    .description(
      'drop data that is older than it is kept, like the daily job; safe while the server is running',
    )
    .option('--json', 'print the result as one JSON document')
    .addHelpText(
      'after',
      '\nThe settings BRANDPORT_KEEP_… say how long data is kept; docs/configuration.md lists them.',
    )
    .action((args) => run((context) => retain(context, args)));
};

async function retain(
  { config, log, write, stopping }: CommandContext,
  { json }: RetainArguments,
): Promise<number> {
  const { runRetainCommand } = await import('../serve/retain-command.ts');
  const outcomes = await runRetainCommand(config, log, stopping());
  write(json ? `${JSON.stringify({ policies: outcomes.map(outcomeToJson) }, null, 2)}\n` : tableOf(outcomes));
  return 0;
}

function outcomeToJson({ policy, keepDays, droppedRows, heldBackBy }: PolicyOutcome) {
  return { policy, keep_days: keepDays, dropped_rows: droppedRows, held_back_by: heldBackBy };
}

function tableOf(outcomes: readonly PolicyOutcome[]): string {
  return textTable(
    ['policy', 'kept', 'dropped rows', ''],
    outcomes.map(({ policy, keepDays, droppedRows, heldBackBy }) => [
      policy,
      keepDays === null ? 'forever' : `${keepDays} days`,
      droppedRows,
      heldBackBy === null ? '' : `held back by ${heldBackBy}, which is not aggregated`,
    ]),
  );
}
