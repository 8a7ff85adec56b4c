import type { Operation } from '../../../api/operation.ts';
import { getStockFeedReportOperation } from './get-stock-feed-report.ts';
import { listBrandFeedsOperation } from './list-brand-feeds.ts';
import { submitLegacyStockFeedOperation, submitStockFeedOperation } from './submit-stock-feed.ts';

export const feedOperations: readonly Operation[] = [submitStockFeedOperation, getStockFeedReportOperation];

/** The operations below `/v1/catalog`, by feed token [catalog-100]. */
export const legacyFeedOperations: readonly Operation[] = [submitLegacyStockFeedOperation];

export const feedAdminOperations: readonly Operation[] = [listBrandFeedsOperation];
