import type { InternalCaller } from '../../api/access.ts';
import type { ServiceContext } from '../../api/operation.ts';
import type { AdminToken } from '../authentication/admin-token.ts';
import { type AuthenticationFailure, bearerToken } from '../authentication/bearer.ts';
import { isLive, sessionDigest } from './session.ts';
import { type CookieRequest, sessionCookieOf } from './session-cookie.ts';
import { findSession } from './session-store.ts';

interface Authentication extends Pick<ServiceContext, 'database' | 'clock'> {
  readonly adminToken: AdminToken;
}

interface InternalRequest extends CookieRequest {
  readonly rawHeaders: readonly string[];
}

/** The caller that the admin token identifies. */
const byAdminToken: InternalCaller = {
  ...{ actor: 'admin-token', actorName: null, role: 'administrator', brandIds: null, session: null },
};

/**
 * Authenticates a request of the internal surface by its bearer token or, if it has no `Authorization`, by the cookie of its
 * session. Reads at most one row.
 */
export async function authenticateInternal(
  authentication: Authentication,
  request: InternalRequest,
): Promise<InternalCaller | { readonly failure: AuthenticationFailure }> {
  const bearer = bearerToken(request.rawHeaders);
  if ('token' in bearer)
    return authentication.adminToken.matches(bearer.token) ? byAdminToken : { failure: 'wrong_secret' };
  if (bearer.failure !== 'missing') return bearer;
  const cookie = sessionCookieOf(request);
  return 'failure' in cookie ? cookie : findCaller(authentication, cookie.token);
}

async function findCaller(
  { database, clock }: Authentication,
  token: string,
): Promise<InternalCaller | { readonly failure: AuthenticationFailure }> {
  const session = await findSession(database, sessionDigest(token));
  if (session === null) return { failure: 'unknown' };
  if (!isLive(session, clock.now())) return { failure: 'session_ended' };
  const { id, expiresAt, actor, actorName, role, brandIds } = session;
  return { actor, actorName, role, brandIds, session: { id, expiresAt } };
}
