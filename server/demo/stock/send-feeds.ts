import type { StockFeedAcknowledgement } from '../../../client/src/index.ts';
import { type BrandClient, clientFor, type DemoBrand } from '../client/demo-brand.ts';
import { type ApiResponse, requireStatus } from '../client/demo-client.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import { type Feed, feedSource, linesOf, type SentFeed } from './feed.ts';

/** The only location of a data set's stock. */
export async function createLocation(brand: DemoBrand, code: string): Promise<void> {
  const body = { external_code: code };
  const idempotencyKey = `create-location:${code}`;
  const answer = await clientFor(brand, 0).send((api, call) =>
    api.catalog.locations.create(body, { ...call, idempotencyKey }),
  );
  requireStatus(answer, 201, `Creating the stock location ${code}`);
}

/** Submits the feeds in order, without waiting for one to be applied before the next. */
export async function sendFeeds(
  run: DataSetRun,
  brand: DemoBrand,
  feeds: readonly Feed[],
): Promise<SentFeed[]> {
  return run.step(brand, 'send feeds', linesOf(feeds), async (step) => {
    const sent: SentFeed[] = [];
    for (const [index, feed] of feeds.entries()) {
      const answer = await submit(clientFor(brand, index), feed);
      requireStatus(answer, 202, `Sending the feed ${feed.batchId}`);
      const id = String(answer.json.feed_id);
      compareAcknowledgement(step, answer, { ...feed, id }, 'queued');
      sent.push({ ...feed, id });
      step.advance(feed.lines.length);
    }
    return sent;
  });
}

/** Submits completed feeds again, and expects only a replay. */
export async function resendFeeds(
  run: DataSetRun,
  brand: DemoBrand,
  feeds: readonly SentFeed[],
): Promise<void> {
  await run.step(brand, 'send feeds again', linesOf(feeds), async (step) => {
    for (const [index, feed] of feeds.entries()) {
      // The keys are in another order than before: a batch belongs to the brand.
      const answer = await submit(clientFor(brand, index + 1), feed);
      requireStatus(answer, 200, `Sending the feed ${feed.batchId} again`);
      compareAcknowledgement(step, answer, feed, 'completed');
      if (answer.headers.has('x-feed-body-differs'))
        step.differs(`${feed.batchId}: sent again, is said to differ`);
      step.advance(feed.lines.length);
    }
  });
}

async function submit(client: BrandClient, { batchId, lines }: Feed) {
  const submission = { source: feedSource, lines, batchId };
  const answer: ApiResponse<unknown> = await client.send((api, call) => api.feeds.submit(submission, call));
  return answer as ApiResponse<StockFeedAcknowledgement>;
}

function compareAcknowledgement(step: Step, answer: ApiResponse, feed: SentFeed, status: string): void {
  const expected = {
    feed_id: feed.id,
    status,
    received_lines: feed.lines.length,
    report_url: reportPath(feed, '/v1/client'),
  };
  for (const text of differencesBetween(expected, answer.json, feed.batchId)) step.differs(text);
}

export function reportPath({ id }: SentFeed, base = ''): string {
  return `${base}/catalog/stock/feeds/${id}`;
}
