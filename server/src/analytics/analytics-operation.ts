import { operationKit } from '../api/operation.ts';
import type { AnalyticsContext } from './analytics-context.ts';

/** The functions of `api/operation.ts` for handlers that use the analytics store. */
export const { readOperation, writeOperation, longWriteOperation, streamOperation } =
  operationKit<AnalyticsContext>();
