import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Operation } from '../api/operation.ts';
import { contentOperations } from './contents/content-operations.ts';
import { learnerOperations } from './learners/learner-operations.ts';
import { marketOperations } from './markets/market-operations.ts';
import { pointOfSaleOperations } from './points-of-sale/point-of-sale-operations.ts';

export const directoryOperations: readonly Operation<AnalyticsContext>[] = [
  ...marketOperations,
  ...pointOfSaleOperations,
  ...learnerOperations,
  ...contentOperations,
];
