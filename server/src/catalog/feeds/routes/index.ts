import type { Operation } from '../../../api/operation.ts';
import { getBrandFeedOperation } from './get-brand-feed.ts';
import { getFeedLinesCsvOperation } from './get-feed-lines-csv.ts';
import { getFeedLinesJsonlOperation } from './get-feed-lines-jsonl.ts';
import { getStockFeedReportOperation } from './get-stock-feed-report.ts';
import { listAllFeedsOperation } from './list-all-feeds.ts';
import { listBrandFeedsOperation } from './list-brand-feeds.ts';
import { listFeedLinesOperation } from './list-feed-lines.ts';
import { requeueFeedOperation } from './requeue-feed.ts';
import { submitLegacyStockFeedOperation, submitStockFeedOperation } from './submit-stock-feed.ts';

export const feedOperations: readonly Operation[] = [submitStockFeedOperation, getStockFeedReportOperation];

/** The operations below `/v1/catalog`, by feed token [catalog-100]. */
export const legacyFeedOperations: readonly Operation[] = [submitLegacyStockFeedOperation];

export const feedAdminOperations: readonly Operation[] = [
  listAllFeedsOperation, //      GET  /feeds
  listBrandFeedsOperation, //    GET  /brands/:id/feeds
  getBrandFeedOperation, //      GET  /brands/:id/feeds/:feed_id
  listFeedLinesOperation, //     GET  /brands/:id/feeds/:feed_id/lines
  getFeedLinesCsvOperation, //   GET  /brands/:id/feeds/:feed_id/lines.csv
  getFeedLinesJsonlOperation, // GET  /brands/:id/feeds/:feed_id/lines.jsonl
  requeueFeedOperation, //       POST /brands/:id/feeds/:feed_id/requeue
];
