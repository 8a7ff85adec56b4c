import { addBrandCheck, type BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes, InputError } from '../../errors/cli-error.ts';
import type { Define } from '../command.ts';
import { addFeedFileOptions, type FeedFileOptions, feedFile } from './feed-file-options.ts';
import { writeOutcome } from './feed-outcome.ts';
import { writeSent } from './feed-send.ts';

interface Options extends FeedFileOptions, BrandOption {
  readonly wait?: boolean;
}

export const defineResend: Define = (command, run) => {
  addBrandCheck(addFeedFileOptions(command), 'the key')
    .argument('<file>', 'the file that was sent; correct its lines in place')
    .option('--wait', 'wait until every line is decided; exits with 5 if lines failed')
    .action((path: string, options: Options) => run((context) => resend(context, path, options)));
};

async function resend(context: CliContext, path: string, options: Options): Promise<number> {
  const { resendFeed } = await import('../../feed/resend-feed.ts');
  const { findFeedState, statePathOf } = await import('../../feed/feed-state.ts');
  const statePath = statePathOf(path);
  const state = await findFeedState(statePath);
  if (state === null) throw new InputError(`${path} was not sent from here: ${statePath} does not exist.`);
  const file = feedFile(context, path, options);
  const brandport = await context.writer(options.brand);
  const sent = await resendFeed({ brandport, file, state, statePath, signal: context.signal });
  if (sent === null) {
    context.tell('No line failed: there is nothing to send.');
    return exitCodes.done;
  }
  if (options.wait === true) return writeOutcome(context, sent.feed);
  writeSent(context, sent);
  return exitCodes.done;
}
