import type { FailedLine } from '@brandport/client';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';

export const defineReport: Define = (command, run) => {
  command
    .argument('<feed>', 'a file that was sent, or the id of a feed')
    .option('--result <result...>', 'lines with these results (default: those that did not set the stock)')
    .action((target: string, { result }: { result?: string[] }) =>
      run((context) => report(context, target, result)),
    );
};

async function report(
  context: CliContext,
  target: string,
  results: string[] | undefined,
): Promise<undefined> {
  const { feedOf } = await import('../../feed/resend-feed.ts');
  const { findFeedState, statePathOf } = await import('../../feed/feed-state.ts');
  const { withOriginals } = await import('../../feed/failed-originals.ts');
  const feed = await feedOf(await context.brandport(), target);
  const failed = feed.failedLines({ results, signal: context.signal });
  const state = await findFeedState(statePathOf(target));
  const file = target.replace(/\.feed\.json$/, '');
  await context.output.stream(state === null ? failed : withOriginals(failed, file, state), {
    columns: [
      { head: 'line', value: ({ line }: FailedLine) => line },
      { head: 'sku', value: ({ sku }) => sku },
      { head: 'location', value: ({ location_code }) => location_code },
      { head: 'result', value: ({ result }) => result },
      { head: 'remedy', value: ({ remedy }) => remedy },
    ],
    id: ({ line }) => line,
  });
}
