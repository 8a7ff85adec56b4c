import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AuthenticationFailure,
  authenticateApiKey,
  authenticateFeedToken,
  bearerToken,
  parseApiKey,
} from '../access/authentication/authentication.ts';
import type { KeyUsageRecorder } from '../access/authentication/key-usage-recorder.ts';
import { clientGone, type KeyUse } from '../access/key-usage/usage-counts.ts';
import { limitsInForce } from '../access/own-limits.ts';
import type { RateDecision, RateLimits } from '../access/rate-limits/rate-limits.ts';
import { type RefusalReason, storedErrors, storedNames, storedText } from '../access/refusals/refusal.ts';
import { isUnverifiedReason } from '../access/refusals/unverified-refusals.ts';
import { type Caller, isInternal, type Scope } from '../api/access.ts';
import type { AnyOperation, ServiceContext } from '../api/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Listener, Metrics } from './metrics.ts';
import { type NoteRequest, pathOf } from './request-record.ts';

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

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the key is known. */
    caller: Caller | null;
    /** Set once the API key is known, admitted or not, for the usage of keys. */
    keyUse: KeyUse | null;
    /** The row of that key, and why it was refused. */
    keyRow: { readonly rowId: number; readonly reason: RefusalReason | null } | null;
    /** Why the credential of the request is not that of a key. */
    unverified: AuthenticationFailure | null;
  }
}

/** Adds to requests what admission by a key or feed token finds out; on the internal listener it stays null. */
export function addClientCaller(app: FastifyInstance): void {
  for (const name of ['caller', 'keyUse', 'keyRow', 'unverified']) app.decorateRequest(name, null);
}

export type Domain = 'catalog' | 'analytics';

interface ClientAdmissionDeps {
  readonly context: ServiceContext;
  readonly rateLimits: RateLimits;
  readonly keyUsage: KeyUsageRecorder;
  readonly metrics: Metrics;
}

/**
 * Admits a request of the client listener: key, then limits, then scope [platform-11] [platform-50] [platform-54]. A request
 * without a valid key counts against its address; one with a key against its key and brand, with any outcome.
 */
export function clientAdmission(
  domain: Domain,
  { id: operation, access }: Pick<AnyOperation, 'id' | 'access'>,
  deps: ClientAdmissionDeps,
) {
  const accepted = isInternal(access) ? [] : access;
  const { context, rateLimits, keyUsage, metrics } = deps;
  const countAddress = admitAddress(deps);
  return async function admitClient(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const result = await authenticateApiKey(context, request.raw.rawHeaders);
    const scopeOf = (scopes: ReadonlySet<Scope>) =>
      accepted.find((one) => scopes.has(one)) ?? accepted[0] ?? null;
    if ('failure' in result) {
      const { failure, key } = result;
      if (key !== undefined) {
        const { brandId, keyId, rowId } = key;
        request.keyUse = { brandId, keyId, operation, scope: scopeOf(new Set(key.scopes)) };
        request.keyRow = { rowId, reason: failure };
      } else request.unverified = failure;
      await countAddress(request, reply);
      throw unauthenticated(metrics, 'client', failure);
    }
    const { caller, keyRowId, limits: own } = result;
    request.caller = { ...caller, limits: rateLimits.limitsNow(own) };
    keyUsage.note('key', keyRowId, {
      brandId: caller.brandId,
      usedAt: context.clock.now(),
      address: request.origin.address,
    });
    const scope = scopeOf(caller.scopes);
    request.keyUse = { brandId: caller.brandId, keyId: caller.keyId, operation, scope };
    request.keyRow = { rowId: keyRowId, reason: null };
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { keyId, brandId } = caller;
    applyRateDecision(reply, await rateLimits.admitKey({ domain, keyId, brandId, isRead, own }), metrics);
    keyUsage.countAdmitted({ domain, keyId, brandId, isRead }, context.clock.now());
    if (accepted.length > 0 && !accepted.some((scope) => caller.scopes.has(scope)))
      throw insufficientScope(accepted);
  };
}

/** Admits a request of the legacy feed path by its feed token. It counts like a write of a key. */
export function feedTokenAdmission(deps: ClientAdmissionDeps) {
  const { context, rateLimits, keyUsage, metrics } = deps;
  const countAddress = admitAddress(deps);
  return async function admitFeedToken(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const result = await authenticateFeedToken(context.database, request.raw.rawHeaders);
    if ('failure' in result) {
      await countAddress(request, reply);
      throw unauthenticated(metrics, 'client', result.failure, 'A valid feed token is required.');
    }
    const { caller, tokenRowId, brandLimits } = result;
    request.caller = caller;
    keyUsage.note('feedToken', tokenRowId, {
      brandId: caller.brandId,
      usedAt: context.clock.now(),
      address: request.origin.address,
    });
    const { keyId, brandId } = caller;
    const own = limitsInForce({ ofKey: null, ofBrand: brandLimits }, context.clock.now());
    const decision = await rateLimits.admitKey({ domain: 'catalog', keyId, brandId, isRead: false, own });
    applyRateDecision(reply, decision, metrics);
    const admitted = { domain: 'catalog', keyId: null, brandId, isRead: false } as const;
    keyUsage.countAdmitted(admitted, context.clock.now());
  };
}

/** Counts a request without a valid key; its response shows the address bucket [platform-55]. */
export function admitAddress({ rateLimits, metrics }: Pick<ClientAdmissionDeps, 'rateLimits' | 'metrics'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    applyRateDecision(reply, await rateLimits.admitAddress(request.origin.address), metrics);
}

/** Counts a refused credential and returns its error. */
export function unauthenticated(
  metrics: Metrics,
  listener: Listener,
  reason: AuthenticationFailure,
  message?: string,
): ApiError {
  metrics.authenticationFailed(listener, reason);
  return new ApiError('unauthenticated', {
    ...(message !== undefined && { message }),
    headers: { 'www-authenticate': 'Bearer' },
  });
}

function insufficientScope(accepted: readonly Scope[]): ApiError {
  return new ApiError('insufficient_scope', {
    message: `This endpoint requires the scope ${accepted.join(' or ')}.`,
    requiredScopes: accepted,
  });
}

/**
 * Returns a function that counts the requests of keys and notes the refused ones [D250]: those whose secret was that of the key,
 * valid or not. Other credentials, and those of paths without an operation, are of no key [internal-208] [D293].
 */
export function keyRequestNotes({
  context: { clock },
  keyUsage,
}: Pick<ClientAdmissionDeps, 'context' | 'keyUsage'>): NoteRequest {
  return (request, status) => {
    // They are undefined if the request failed before routing.
    const { keyUse, keyRow, refusal } = request;
    const at = clock.now();
    if (keyUse) keyUsage.count(keyUse, status, at);
    if (status < 400 || status === clientGone) return;
    const { address } = request.origin;
    if (!keyUse || !keyRow) {
      const reason = request.unverified ?? (hasToken(request.raw.rawHeaders) ? 'not_looked_up' : 'missing');
      if (isUnverifiedReason(reason)) keyUsage.refuseUnverified({ at, address, reason });
      return;
    }
    const { brandId, keyId } = keyUse;
    keyUsage.refuse(
      {
        at,
        requestId: request.id,
        keyId,
        operation: request.routeOptions.config?.operationId ?? null,
        method: request.method,
        path: storedText(pathOf(request.url)),
        status,
        code: refusal?.code ?? 'server_error',
        reason: keyRow.reason,
        fields: storedNames(Object.keys(refusal?.details.errors ?? {})),
        message: refusal === null ? null : storedText(refusal.message),
        errors: storedErrors(refusal?.details.errors ?? {}),
        requiredScopes: refusal?.details.requiredScopes ?? [],
        address,
      },
      { brandId, rowId: keyRow.rowId },
    );
  };
}

/** Returns whether the request has the form of an API key with it. */
function hasToken(rawHeaders: readonly string[]): boolean {
  const bearer = bearerToken(rawHeaders);
  return !('failure' in bearer) && !('failure' in parseApiKey(bearer.token));
}
