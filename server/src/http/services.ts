import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import type { AnalyticsContext } from '../analytics/analytics-context.ts';
import type { StockHealthContext } from '../catalog/stock/get-stock-health.ts';
import type { RunDoctor } from '../doctor/doctor-run-job.ts';
import type { ServerIdentity } from '../overview/overview-store.ts';

export interface Services extends AnalyticsContext, StockHealthContext {
  readonly rateLimits: RateLimits;
  /** For jobs. */
  readonly runDoctor: RunDoctor;
  readonly server: ServerIdentity;
}
