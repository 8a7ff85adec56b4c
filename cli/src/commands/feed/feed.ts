import { parseSeconds } from '../../arguments/parse-arguments.ts';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';
import { defineLint } from './feed-lint.ts';
import { writeOutcome } from './feed-outcome.ts';
import { defineReport } from './feed-report.ts';
import { defineResend } from './feed-resend.ts';
import { defineSend } from './feed-send.ts';

export const defineFeed: Define = (command, run) => {
  defineLint(
    command.command('lint').description('examine a file before it is sent; exits with 3 for errors'),
    run,
  );
  defineSend(command.command('send').description('send a file of stock levels'), run);
  defineWait(command.command('wait').description('wait until every line of a feed is decided'), run);
  defineReport(command.command('report').description('list the lines that did not set the stock'), run);
  defineResend(command.command('resend').description('send the failed lines of a corrected file again'), run);
};

const defineWait: Define = (command, run) => {
  command
    .argument('<feed>', 'a file that was sent, or the id of a feed')
    .option('--deadline <seconds>', 'fail after this time', parseSeconds)
    .addHelpText('after', '\nExits with 5 if lines failed.')
    .action((target: string, { deadline }: { deadline?: number }) =>
      run((context) => wait(context, target, deadline)),
    );
};

async function wait(context: CliContext, target: string, deadline: number | undefined): Promise<number> {
  const { feedOf } = await import('../../feed/resend-feed.ts');
  const feed = await feedOf(await context.brandport(), target);
  return writeOutcome(context, feed, deadline === undefined ? undefined : deadline * 1_000);
}
