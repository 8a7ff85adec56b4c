import type { Brandport, FeedSummary, SubmittedFeed } from '@brandport/client';
import type { FeedGroup, FeedLine } from '../plan/plan-types.ts';
import type { Progress } from './journal.ts';

export interface FeedContext {
  readonly brandport: Brandport;
  readonly source: string;
  readonly progress: Progress | null;
  readonly lines: () => AsyncGenerator<FeedLine, void, undefined>;
  readonly signal: AbortSignal;
  readonly record: (progress: Progress, wasWritten: boolean) => void;
}

/** Submits the feed of a plan unless the journal has it, and waits until all its lines are decided. */
export async function applyFeed(
  { batch_id: batchId }: FeedGroup,
  context: FeedContext,
): Promise<{ readonly feed: SubmittedFeed; readonly summary: FeedSummary; readonly failedLines: number }> {
  const { brandport, source, progress, signal } = context;
  const submission = { source, batchId, lines: context.lines() };
  const feed =
    progress?.feeds === undefined
      ? await brandport.feeds.submit(submission, { signal })
      : brandport.feeds.reopen(
          submission,
          progress.feeds.map((feedId) => ({
            feedId,
            batchId,
            firstLine: 0,
            lines: 0,
            isNew: false,
            bodyDiffers: false,
          })),
        );
  const feeds = feed.parts.map(({ feedId }) => feedId);
  if (progress?.feeds === undefined) context.record({ done: 1, feeds }, true);
  const summary = await feed.wait({ signal });
  const failedLines = countFailed(summary.totals);
  context.record({ done: 2, feeds, failed_lines: failedLines }, false);
  return { feed, summary, failedLines };
}

const good = new Set(['received', 'applied', 'unchanged', 'superseded']);

function countFailed(totals: FeedSummary['totals']): number {
  return Object.entries(totals).reduce((sum, [result, count]) => sum + (good.has(result) ? 0 : count), 0);
}
