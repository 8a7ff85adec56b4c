import type { AnalyticsContext } from '../analytics/analytics-context.ts';

/** What the operations of all domains may use together. */
export interface Services extends AnalyticsContext {}
