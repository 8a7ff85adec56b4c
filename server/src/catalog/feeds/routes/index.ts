import type { Operation } from '../../../api/operation.ts';
import { getFeedReportOperation } from './get-feed-report.ts';
import { listBrandFeedsOperation } from './list-brand-feeds.ts';
import { submitFeedOperation, submitLegacyFeedOperation } from './submit-feed.ts';

export const feedOperations: readonly Operation[] = [submitFeedOperation, getFeedReportOperation];

/** Below `/v1/catalog`, by feed token [catalog-100]. */
export const legacyFeedOperations: readonly Operation[] = [submitLegacyFeedOperation];

export const feedAdminOperations: readonly Operation[] = [listBrandFeedsOperation];
