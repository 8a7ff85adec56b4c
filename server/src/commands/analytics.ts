import { engineNames } from '../analytics/store/coordination/engine-store.ts';
import type { AddCommand, CommandContext } from './command.ts';
import { textTable } from './text-table.ts';

export const addAnalytics: AddCommand = (program, run) => {
  program
    .command('analytics')
    .description('move the analytics store')
    .command('copy')
    .description(
      `move learning events and datasets from PostgreSQL to the ${engineNames.engine} of ${engineNames.setting}; stop the servers first`,
    )
    .action(() => run(copy));
};

async function copy({ config, log, write, stopping }: CommandContext): Promise<number> {
  const { runCopyAnalyticsCommand } = await import('../serve/copy-analytics-command.ts');
  const rows = await runCopyAnalyticsCommand(config, log, stopping());
  write(textTable(['table', 'rows'], Object.entries(rows)));
  return 0;
}
