import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdminToken } from '../access/authentication/admin-token.ts';
import type { KeyUsageRecorder } from '../access/authentication/key-usage.ts';
import type { RateLimits } from '../access/rate-limits/rate-limits.ts';
import { authenticateInternal } from '../access/sessions/authenticate-internal.ts';
import { requireSafeGround } from '../access/sessions/sign-in-ground.ts';
import type { InternalCaller } from '../api/access.ts';
import type { AnyOperation, ServiceContext } from '../api/operation.ts';
import { unauthenticated } from './admission.ts';
import type { Metrics } from './metrics.ts';
import { applyRateDecision } from './rate-limit-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller of the internal surface is known. */
    internalCaller: InternalCaller | null;
  }
}

export interface InternalAdmissionDeps {
  readonly context: ServiceContext;
  readonly adminToken: AdminToken;
  readonly rateLimits: RateLimits;
  readonly keyUsage: KeyUsageRecorder;
  readonly metrics: Metrics;
  /** True if browsers may sign in over plain http from other machines. */
  readonly consoleAllowsHttp: boolean;
}

/** Admits a request of the internal listener by its bearer token or the cookie of its session. */
export function internalAdmission({ access }: Pick<AnyOperation, 'access'>, deps: InternalAdmissionDeps) {
  const { context, adminToken, keyUsage, metrics } = deps;
  if (access === 'sign-in') return admitSignIn(deps);
  return async function admitInternal(request: FastifyRequest): Promise<void> {
    const { method, headers, raw, origin } = request;
    const { isHttps, address } = origin;
    const { rawHeaders } = raw;
    const result = await authenticateInternal(
      { ...context, adminToken },
      { method, headers, rawHeaders, isHttps },
    );
    if ('failure' in result)
      throw unauthenticated(metrics, 'internal', result.failure, 'Sign in, or send the admin token.');
    request.internalCaller = result;
    if (result.session !== null)
      keyUsage.note('session', result.session.id, { brandId: null, usedAt: context.clock.now(), address });
  };
}

/** Admits a sign-in, which has no credential yet, within the limit of its address. */
function admitSignIn({ rateLimits, metrics, consoleAllowsHttp }: InternalAdmissionDeps) {
  return async function admit({ origin, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    applyRateDecision(reply, await rateLimits.admitSignIn(origin.address), metrics);
    requireSafeGround(origin, headers['sec-fetch-site']?.toString(), consoleAllowsHttp);
  };
}
