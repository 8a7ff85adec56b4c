import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, requireStatus } from '../client/api-client.ts';
import { clientFor, type DemoBrand } from '../client/demo-brand.ts';
import { differencesBetween, Exactly } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { DemoError } from '../demo-error.ts';
import { feedSource, linesOf, type SentFeed, totalsOf } from './feed.ts';
import { reportPath } from './send-feeds.ts';

interface Report {
  readonly status: string;
  readonly message: string | null;
  readonly totals: Readonly<Record<string, number>>;
}

const linesPerPage = 500;
const firstPauseMs = 50;
const longestPauseMs = 2_000;
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
      await untilCompleted(nextClient, feed);
      const lastPage = Math.ceil(lines.length / linesPerPage);
      for (let page = 1; page <= lastPage; page++) {
        const json = await read(nextClient(), feed, `?per_page=${linesPerPage}&page=${page}`);
        const first = (page - 1) * linesPerPage;
        const data = lines.slice(first, first + linesPerPage).map(({ sku, location_code }, index) => {
          const result = expected[first + index];
          return { sku, location_code, result, ...(result === 'applied' && { message: null }) };
        });
        const report = {
          feed_id: feed.id,
          source: feedSource,
          status: 'completed',
          message: null,
          totals: new Exactly(totalsOf(expected)),
          report_url: reportPath(feed, '/v1/client'),
          lines: {
            data,
            meta: {
              current_page: page,
              per_page: linesPerPage,
              total: lines.length,
              last_page: lastPage,
            },
          },
        };
        for (const text of differencesBetween(report, json, feed.batchId)) step.differs(text);
        step.advance(data.length);
      }
    }
  });
}

/** Minimum number of requests for reading the reports. */
export const requestsOfReports = (feeds: readonly { readonly lines: readonly unknown[] }[]) =>
  feeds.reduce((sum, { lines }) => sum + 1 + Math.ceil(lines.length / linesPerPage), 0);

async function untilCompleted(nextClient: () => ApiClient, feed: SentFeed): Promise<void> {
  let pauseMs = firstPauseMs;
  let decided = -1;
  let since = performance.now();
  for (;;) {
    const { status, message, totals } = await read(nextClient(), feed, '?per_page=1');
    if (status === 'completed') return;
    if (status === 'failed') throw new DemoError(`The feed ${feed.batchId} failed: ${message}`);
    const decidedNow = Object.values(totals).reduce((sum, count) => sum + count, 0);
    if (decidedNow !== decided) since = performance.now();
    else if (performance.now() - since > patienceMs)
      throw new DemoError(`The feed ${feed.batchId} stays ${status}, at ${JSON.stringify(totals)}.`);
    decided = decidedNow;
    await sleep(pauseMs);
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

async function read(client: ApiClient, feed: SentFeed, query: string): Promise<Report> {
  const path = reportPath(feed) + query;
  const answer = await client.get<Report>(path);
  requireStatus(answer, 200, `GET ${path}`);
  return answer.json;
}
