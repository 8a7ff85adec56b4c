import type { Operation } from '../../../api/operation.ts';
import { feedLineOperations } from '../feed-line-operations.ts';
import { feedListOperations } from '../feed-list-operations.ts';
import { getStockFeedReportOperation } from './get-stock-feed-report.ts';
import { correctFeedOperation, requeueFeedOperation } from './requeue-feed.ts';
import { submitLegacyStockFeedOperation, submitStockFeedOperation } from './submit-stock-feed.ts';

export const feedOperations: readonly Operation[] = [submitStockFeedOperation, getStockFeedReportOperation];

/** The operations below `/v1/catalog`, by feed token [catalog-100]. */
export const legacyFeedOperations: readonly Operation[] = [submitLegacyStockFeedOperation];

export const feedAdminOperations: readonly Operation[] = [
  ...feedListOperations,
  ...feedLineOperations,
  requeueFeedOperation, // POST /brands/:id/feeds/:feed_id/requeue
  correctFeedOperation, // POST /brands/:id/feeds/:feed_id/corrections
];
