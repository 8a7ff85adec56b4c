import type { AnalyticsContext } from '../../analytics/analytics-context.ts';
import type { Operation } from '../../api/operation.ts';
import { getBrandSummaryOperation } from './get-brand-summary.ts';
import { listBrandsOperation } from './list-brands.ts';

export const brandSummaryOperations: readonly Operation<AnalyticsContext>[] = [
  listBrandsOperation, //      GET /brands
  getBrandSummaryOperation, // GET /brands/:id/summary
];
