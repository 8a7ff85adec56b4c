import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { Operation } from '../api/operation.ts';
import { contentOperations } from './contents/routes/index.ts';
import { learnerOperations } from './learners/routes/index.ts';
import { marketOperations } from './markets/routes/index.ts';
import { pointOfSaleOperations } from './points-of-sale/routes/index.ts';

/** The operations of the directory on the internal surface. */
export const directoryOperations: readonly Operation<AnalyticsContext>[] = [
  ...marketOperations,
  ...pointOfSaleOperations,
  ...learnerOperations,
  ...contentOperations,
];
