import { readOperation } from '../../../api/operation.ts';
import { pageMeta, pageOf } from '../../../api/pagination.ts';
import { unchanged } from '../../../api/reply.ts';
import { lineResults } from '../feed.ts';
import { feedExample } from '../feed-example.ts';
import { FeedParams, FeedReportQuery, FeedReportWire, feedToReport, namesFromQuery } from '../feed-wire.ts';
import { getFeedReportUnless } from '../queries/feed-report.ts';
import { findFeedVersion } from '../queries/get-feed.ts';

/** Page sizes of the lines of a report [catalog-113]. */
const pageSizes = { default: 100, max: 500 };

/** Accepts either of two scopes [catalog-112] [catalog-114]. */
export const getStockFeedReportOperation = readOperation({
  id: 'getStockFeedReport',
  method: 'GET',
  path: '/stock/feeds/:tuId',
  tag: 'Stock feeds',
  summary: 'Get the report of a stock feed',
  description: `Returns the feed's progress, the number of lines by result, and one page of its lines in the order in which they were
sent, or only those with the results in \`result\`. While the feed is being applied, lines that are not decided yet have \`result\` null.`,
  access: ['catalog.stock:read', 'catalog.stock:ingest'],
  params: FeedParams,
  query: FeedReportQuery,
  responses: { 200: { description: 'The report.', schema: FeedReportWire, example: feedExample.report } },
  handle: async ({ database }, { caller, params, query, pathPrefix, known }) => {
    const page = pageOf(query, pageSizes);
    const asked = { page, results: namesFromQuery(query.result, lineResults), known };
    const report = await getFeedReportUnless(database, caller.brandId, params.tuId, asked);
    if (report === null) return unchanged;
    const { feed, lines, total, version } = report;
    return {
      status: 200,
      body: feedToReport(feed, lines, pageMeta(page, total), pathPrefix),
      version: { state: version },
    };
  },
  currentVersion: ({ database }, { caller, params }) =>
    findFeedVersion(database, caller.brandId, params.tuId),
});
