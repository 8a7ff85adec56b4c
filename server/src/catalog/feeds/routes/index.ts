import type { Operation } from '../../../api/operation.ts';
import { getFeedReportOperation } from './get-feed-report.ts';
import { listBrandFeedsOperation } from './list-brand-feeds.ts';
import { submitFeedOperation, submitLegacyFeedOperation } from './submit-feed.ts';

/** Endpoints 27 and 28. */
export const feedOperations: readonly Operation[] = [submitFeedOperation, getFeedReportOperation];

/** Below `/v1/catalog`, by feed token (contract, Authentication 7). */
export const legacyFeedOperations: readonly Operation[] = [submitLegacyFeedOperation];

/** Internal surface, Feeds and jobs. */
export const feedAdminOperations: readonly Operation[] = [listBrandFeedsOperation];
