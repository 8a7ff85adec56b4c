import { parseSeconds } from '../../arguments/parse-number.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';
import { writeOutcome } from './feed-outcome.ts';

export const defineWait: Define = (command, run) => {
  command
    .argument('<feed>', 'a file that was sent, or the id of a feed')
    .option('--deadline <seconds>', 'fail after this time', parseSeconds)
    .addHelpText('after', '\nExits with 5 if lines failed.')
    .action((target: string, { deadline }: { deadline?: number }) =>
      run((context) => wait(context, target, deadline)),
    );
};

async function wait(context: CliContext, target: string, deadline: number | undefined): Promise<number> {
  const { feedOf } = await import('./feed-target.ts');
  const feed = await feedOf(await context.brandport(), target);
  return writeOutcome(context, feed, deadline === undefined ? undefined : deadline * 1_000);
}
