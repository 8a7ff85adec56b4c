import type { Operation } from '../api/operation.ts';
import type { AnalyticsContext } from './analytics-context.ts';
import { datasetOperations } from './datasets/routes/index.ts';

/** Everything below `/v1/client/analytics`, in the order of the reference. */
export const analyticsOperations: readonly Operation<AnalyticsContext>[] = datasetOperations;
