import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';

export interface ServerIdentity {
  readonly version: string;
  /** `all`, `api` or `worker`. */
  readonly role: string;
}

export interface OverviewContext extends AnalyticsContext {
  readonly rateLimits: Pick<RateLimits, 'isShared'>;
  readonly server: ServerIdentity;
}
