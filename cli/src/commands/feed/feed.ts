import type { Define } from '../command.ts';
import { defineLint } from './feed-lint.ts';
import { defineReport } from './feed-report.ts';
import { defineResend } from './feed-resend.ts';
import { defineSend } from './feed-send.ts';
import { defineWait } from './feed-wait.ts';

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
