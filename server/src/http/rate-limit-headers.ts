import type { FastifyReply } from 'fastify';
import type { RateDecision } from '../access/rate-limits/rate-limits.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Metrics } from './metrics.ts';

/**
 * Sets the values of the most constrained bucket on every response [platform-51]; null: no limit applies.
 * @throws ApiError `rate_limited` if the decision is a denial.
 */
export function applyRateDecision(
  reply: FastifyReply,
  decision: RateDecision | null,
  metrics: Metrics,
): void {
  reply.headers(rateLimitHeaders(decision));
  const denial = findDenial(decision, metrics);
  if (denial !== null) throw denial;
}

export function rateLimitHeaders(decision: RateDecision | null): Record<string, number> {
  if (decision === null) return {};
  return {
    'x-ratelimit-limit': decision.limit,
    'x-ratelimit-remaining': decision.remaining,
    'x-ratelimit-reset': decision.resetAt,
  };
}

/** Counts a denial and returns its error; null when the request is admitted. */
export function findDenial(decision: RateDecision | null, metrics: Metrics): ApiError | null {
  if (decision === null || decision.deniedBy === null) return null;
  metrics.rateLimitDenied(decision.deniedBy);
  return new ApiError('rate_limited', { headers: { 'retry-after': String(decision.retryAfterSeconds) } });
}
