import { addBrandCheck, type BrandOption } from '../../arguments/brand-option.ts';
import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes } from '../../errors/cli-error.ts';
import type { SentFeed } from '../../feed/send-feed.ts';
import type { Define } from '../command.ts';
import {
  addFeedSourceOptions,
  type FeedSourceOptions,
  feedFile,
  openFeedMemory,
} from './feed-file-options.ts';
import { writeOutcome } from './feed-outcome.ts';

interface Options extends FeedSourceOptions, BrandOption {
  readonly batch?: string;
  readonly wait?: boolean;
}

export const defineSend: Define = (command, run) => {
  addBrandCheck(addFeedSourceOptions(command, 'the system that the levels come from'), 'the key')
    .option('--batch <id>', 'identifies the feed (default: from the name, time and content of the file)')
    .option('--wait', 'wait until every line is decided; exits with 5 if lines failed')
    .addHelpText(
      'after',
      '\nKeeps what was sent in <file>.feed.json, for wait, report and resend. The same file, sent again, is not applied again.',
    )
    .action((path: string, options: Options) => run((context) => send(context, path, options)));
};

async function send(context: CliContext, path: string, options: Options): Promise<number> {
  const { sendFeed } = await import('../../feed/send-feed.ts');
  const { statePathOf } = await import('../../feed/feed-state.ts');
  context.resumeWith('Run the same command again: a feed that was received is not applied twice.');
  const file = feedFile(context, path, options);
  const brandport = await context.writer(options.brand);
  const { brandId, memory } = await openFeedMemory(context);
  const sent = await sendFeed({
    brandport,
    file,
    source: options.source,
    batchId: options.batch,
    statePath: file.stream === undefined ? statePathOf(path) : null,
    signal: context.signal,
  });
  const last = { lines: sent.state.file_lines, sent_at: new Date().toISOString() };
  memory.remember(brandId, options.source, last);
  if (sent.feed.parts.some(({ isNew }) => !isNew))
    context.tell('note: this feed was sent before; it is not applied again.');
  if (options.wait === true) return writeOutcome(context, sent.feed);
  writeSent(context, sent);
  return exitCodes.done;
}

export function writeSent(context: CliContext, { feed, state }: SentFeed): void {
  const feedIds = feed.parts.map(({ feedId }) => feedId);
  const lines = state.places?.length ?? state.file_lines;
  context.output.item({ batch_id: feed.batchId, feed_ids: feedIds, lines }, { id: () => feedIds.join('\n') });
}
