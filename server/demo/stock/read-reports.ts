import { type FeedSummary, isBrandportError } from '../../../client/src/index.ts';
import { type BrandClient, clientFor, type DemoBrand } from '../client/demo-brand.ts';
import { requireStatus } from '../client/demo-client.ts';
import { differencesBetween, Exactly, lastPageOf, pageOf } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { DemoError } from '../demo-error.ts';
import { feedSource, linesOf, type SentFeed, totalsOf } from './feed.ts';
import { reportPath } from './send-feeds.ts';

const linesPerPage = 500;
/** The time without progress after which waiting for a feed fails. */
const patienceMs = 120_000;

/** Waits for every feed, reads its whole report, and checks the result of each line. */
export async function verifyReports(
  run: DataSetRun,
  brand: DemoBrand,
  feeds: readonly SentFeed[],
): Promise<void> {
  await run.step(brand, 'read reports', linesOf(feeds), async (step) => {
    let turn = 0;
    const nextClient = () => clientFor(brand, turn++);
    for (const feed of feeds) {
      const { lines, expected } = feed;
      await untilCompleted(nextClient(), feed);
      const results = lines.map(({ sku, location_code }, index) => {
        const result = expected[index];
        return { sku, location_code, result, ...(result === 'applied' && { message: null }) };
      });
      for (let page = 1; page <= lastPageOf(lines.length, linesPerPage); page++) {
        const json = await read(nextClient(), feed, page);
        const served = pageOf(results, page, linesPerPage);
        const report = {
          feed_id: feed.id,
          source: feedSource,
          status: 'completed',
          message: null,
          totals: new Exactly(totalsOf(expected)),
          report_url: reportPath(feed, '/v1/client'),
          lines: served,
        };
        for (const text of differencesBetween(report, json, feed.batchId)) step.differs(text);
        step.advance(served.data.length);
      }
    }
  });
}

/** @throws DemoError if the feed fails, or makes no progress */
async function untilCompleted(client: BrandClient, feed: SentFeed): Promise<void> {
  let decided = -1;
  let since = performance.now();
  const onProgress = ({ status, totals }: FeedSummary) => {
    const decidedNow = Object.values(totals).reduce((sum, count) => sum + count, 0);
    if (decidedNow !== decided) since = performance.now();
    else if (performance.now() - since > patienceMs)
      throw new DemoError(`The feed ${feed.batchId} stays ${status}, at ${JSON.stringify(totals)}.`);
    decided = decidedNow;
  };
  const { id: feedId, batchId, lines } = feed;
  const part = { feedId, batchId, firstLine: 0, lines: lines.length, isNew: true, bodyDiffers: false };
  const answer = await client.send(({ feeds }, call) =>
    feeds
      .reopen({ source: feedSource, lines, batchId }, [part])
      .wait({ ...call, onProgress })
      .catch((error) => {
        throw isBrandportError(error, 'feed_failed') ? new DemoError(error.message) : error;
      }),
  );
  requireStatus(answer, 200, `GET ${reportPath(feed)}`);
}

async function read(client: BrandClient, feed: SentFeed, page: number): Promise<unknown> {
  const query = { per_page: linesPerPage, page };
  const answer = await client.send((api, call) => api.feeds.report(feed.id, query, call));
  requireStatus(answer, 200, `GET ${reportPath(feed)}?per_page=${linesPerPage}&page=${page}`);
  return answer.json;
}
