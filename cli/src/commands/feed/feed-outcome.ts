import type { FeedSummary, SubmittedFeed } from '@brandport/client';
import type { CliContext } from '../../context/cli-context.ts';
import { exitCodes } from '../../errors/cli-error.ts';

const good = new Set(['received', 'applied', 'unchanged', 'superseded', 'stale']);

/** Waits for a feed, writes its totals, and returns the exit code: 5 if lines can be corrected and sent again. */
export async function writeOutcome(
  context: CliContext,
  feed: SubmittedFeed,
  deadlineMs?: number,
): Promise<number> {
  const bar = context.progress('Applying lines');
  const { totals } = await feed
    .wait({
      signal: context.signal,
      deadlineMs,
      onProgress: ({ totals: { received = 0, ...results } }) => bar.update(sum(results), received),
    })
    .finally(() => bar.stop());
  const feedIds = feed.parts.map(({ feedId }) => feedId);
  context.output.item(
    { batch_id: feed.batchId, feed_ids: feedIds, totals },
    { id: () => feedIds.join('\n'), fields: () => Object.entries(totals) },
  );
  if (!hasFailures(totals)) return exitCodes.done;
  await tellFailures(context, feed);
  return exitCodes.partial;
}

/** Writes the first failed lines to standard error. */
async function tellFailures(context: CliContext, feed: SubmittedFeed): Promise<void> {
  let shown = 0;
  for await (const { sku, location_code: location, result, remedy } of feed.failedLines({
    signal: context.signal,
  })) {
    if (shown === 20) {
      context.tell('problem: and more; brandport feed report lists all.');
      return;
    }
    shown += 1;
    context.tell(`problem: ${sku} at ${location}: ${result}${remedy === null ? '' : `: ${remedy}`}`);
  }
}

function hasFailures(totals: FeedSummary['totals']): boolean {
  return Object.entries(totals).some(([result, count]) => !good.has(result) && count > 0);
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
