import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AdminToken, bearerToken } from '../access/authentication/authentication.ts';
import type { KeyUsageRecorder } from '../access/authentication/key-usage-recorder.ts';
import type { RateDecision, RateLimits } from '../access/rate-limits/rate-limits.ts';
import { requireSafeOrigin } from '../access/sessions/session.ts';
import { authenticateInternal } from '../access/sessions/sign-in.ts';
import { type InternalAccess, type InternalCaller, isInternal } from '../api/access.ts';
import type { AnyOperation, ServiceContext } from '../api/operation.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { Queryable } from '../postgres/database.ts';
import { applyRateDecision, findDenial, unauthenticated } from './admission.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller of the internal surface is known. */
    internalCaller: InternalCaller | null;
  }
}

/** Adds the caller of the internal surface to requests; on the client listener it stays null. */
export function addInternalCaller(app: FastifyInstance): void {
  app.decorateRequest('internalCaller', null);
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
  const { context, adminToken, keyUsage, metrics, rateLimits } = deps;
  if (!isInternal(access)) throw new Error('An operation of the client API on the internal listener');
  if (access === 'anyone') return async () => {};
  if (access === 'sign-in') return admitSignIn(deps);
  return async function admitInternal(request: FastifyRequest): Promise<void> {
    const { method, headers, raw, origin } = request;
    const { isHttps, address } = origin;
    const { rawHeaders } = raw;
    const hasToken = !isMissing(bearerToken(rawHeaders));
    // Before the token is checked, so that the response to a right one and a wrong one is the same [internal-180].
    if (hasToken) refuseDenied(await rateLimits.findAdminDenial(address), metrics);
    const result = await authenticateInternal(
      { ...context, adminToken },
      { method, headers, rawHeaders, isHttps },
    );
    if ('failure' in result) {
      if (hasToken) refuseDenied(await rateLimits.countAdminFailure(address), metrics);
      throw unauthenticated(metrics, 'internal', result.failure, 'A valid token is required.');
    }
    const { caller, used } = result;
    request.internalCaller = caller;
    // Polls of an open page do not keep an idle session alive [internal-121].
    const isPoll = used?.credential === 'session' && headers['x-brandport-console'] === 'poll';
    if (used !== null && !isPoll)
      keyUsage.note(used.credential, used.rowId, { brandId: null, usedAt: context.clock.now(), address });
    const params = request.params as Record<string, string>;
    await permitCaller(context.database, access, caller, { method, params });
  };
}

function isMissing(bearer: ReturnType<typeof bearerToken>): boolean {
  return 'failure' in bearer && bearer.failure === 'missing';
}

/** @throws ApiError `rate_limited` if the decision is a denial */
function refuseDenied(decision: RateDecision | null, metrics: Metrics): void {
  const denial = findDenial(decision, metrics);
  if (denial !== null) throw denial;
}

/** Admits a sign-in, which has no credential yet, within the limit of its address. */
function admitSignIn({ rateLimits, metrics, consoleAllowsHttp }: InternalAdmissionDeps) {
  return async function admit({ origin, headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    applyRateDecision(reply, await rateLimits.admitSignIn(origin.address), metrics);
    requireSafeOrigin(origin, headers['sec-fetch-site']?.toString(), consoleAllowsHttp);
  };
}

interface PermittedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Refuses a request that the caller's role does not permit [internal-125] [D163]. The role comes before existence: a write of
 * support is 403 also for a resource that does not exist. Another brand than the caller's is 404. Only callers that are
 * restricted to brands cost a look-up, unless the path names the brand.
 * @throws ApiError `forbidden`, `not_found`
 */
async function permitCaller(
  database: Queryable,
  access: InternalAccess,
  { role, brandIds }: InternalCaller,
  { method, params }: PermittedRequest,
): Promise<void> {
  if (role === 'administrator' || access === 'signed-in') return;
  if (access === 'administrators') throw forbidden('Only administrators may do this.');
  const isRead = method === 'GET' || method === 'HEAD';
  if (role === 'support' && !isRead) throw forbidden('The role support may read and not change anything.');
  if (brandIds === null || access === 'filtered-by-brand') return;
  if (access === 'one-brand') {
    if (!brandIds.some((id) => String(id) === params['id'])) throw notFound();
  } else if (typeof access === 'object') {
    const brandId = await access.findBrandId(database, params);
    if (brandId === null || !brandIds.includes(brandId)) throw notFound();
  }
}

function forbidden(message: string): ApiError {
  return new ApiError('forbidden', { message });
}
