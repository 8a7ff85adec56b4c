import type { FastifyReply } from 'fastify';
import type { RateDecision } from '../access/rate-limits/rate-limits.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Metrics } from './metrics.ts';

/**
 * Puts the figures of the most constrained bucket on the response, whatever it will be (contract, Limits). null: no
 * limit applies, and there is nothing to show.
 * @throws ApiError `rate_limited` when the decision is a denial.
 */
export function applyRateDecision(
  reply: FastifyReply,
  decision: RateDecision | null,
  metrics: Metrics,
): void {
  if (decision === null) return;
  reply.header('x-ratelimit-limit', decision.limit);
  reply.header('x-ratelimit-remaining', decision.remaining);
  reply.header('x-ratelimit-reset', decision.resetAt);
  if (decision.deniedBy === null) return;
  metrics.rateLimitDenied(decision.deniedBy);
  throw new ApiError('rate_limited', { headers: { 'retry-after': String(decision.retryAfterSeconds) } });
}
