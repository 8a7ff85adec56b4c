import type { InternalCaller } from '../../api/access.ts';
import type { ServiceContext } from '../../api/operation.ts';
import type { AuditAction } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { randomHex } from '../../lib/ids.ts';
import { digestsEqual, sha256 } from '../../lib/secrets.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { parseAdministratorToken } from '../administrators/administrator.ts';
import { findAdministrator } from '../administrators/administrator-store.ts';
import {
  type AdminToken,
  type AuthenticationFailure,
  bearerToken,
} from '../authentication/authentication.ts';
import { type CookieRequest, isLive, type Session, sessionCookieOf, sessionLifeMs } from './session.ts';
import { deleteSession, findSession, insertSession } from './session-store.ts';

interface Authentication extends Pick<ServiceContext, 'database' | 'clock'> {
  readonly adminToken: AdminToken;
}

interface InternalRequest extends CookieRequest {
  readonly rawHeaders: readonly string[];
}

interface Failure {
  readonly failure: AuthenticationFailure;
}

interface TokenHolder {
  readonly caller: InternalCaller;
  /** The row of the administrator; null: the admin token of the configuration. */
  readonly administratorId: number | null;
  readonly expiresAt: Date | null;
}

interface Authenticated {
  readonly caller: InternalCaller;
  readonly used: { readonly credential: 'administrator' | 'session'; readonly rowId: number } | null;
}

// Used in the comparison if the administrator is unknown, so that it takes the same steps as a wrong secret.
const noDigest = Buffer.alloc(32);

const byAdminToken: TokenHolder = {
  caller: { actor: 'admin-token', actorName: null, role: 'administrator', brandIds: null, session: null },
  administratorId: null,
  expiresAt: null,
};

/** Authenticates an internal request by its bearer token or, without `Authorization`, by its session's cookie. */
export async function authenticateInternal(
  authentication: Authentication,
  request: InternalRequest,
): Promise<Authenticated | Failure> {
  const bearer = bearerToken(request.rawHeaders);
  if ('token' in bearer) {
    const holder = await findTokenHolder(authentication, bearer.token);
    if ('failure' in holder) return holder;
    const { caller, administratorId: rowId } = holder;
    return { caller, used: rowId === null ? null : { credential: 'administrator', rowId } };
  }
  if (bearer.failure !== 'missing') return bearer;
  const cookie = sessionCookieOf(request);
  return 'failure' in cookie ? cookie : findSessionHolder(authentication, cookie.token);
}

export async function findTokenHolder(
  { database, clock, adminToken }: Authentication,
  token: string,
): Promise<TokenHolder | Failure> {
  if (adminToken.matches(token)) return byAdminToken;
  const parsed = parseAdministratorToken(token);
  if (parsed === null) return { failure: 'wrong_secret' };
  const found = await findAdministrator(database, parsed.id);
  const secretFits = digestsEqual(sha256(parsed.secret), found?.secretSha256 ?? noDigest);
  if (found === null) return { failure: 'unknown' };
  if (!secretFits) return { failure: 'wrong_secret' };
  const { rowId, id, name, role, brandIds, expiresAt } = found.administrator;
  if (expiresAt !== null && expiresAt.getTime() <= clock.now()) return { failure: 'expired' };
  const caller = { actor: id, actorName: name, role, brandIds, session: null };
  return { caller, administratorId: rowId, expiresAt };
}

async function findSessionHolder(
  { database, clock }: Authentication,
  token: string,
): Promise<Authenticated | Failure> {
  const session = await findSession(database, sha256(token));
  if (session === null) return { failure: 'unknown' };
  if (!isLive(session, clock.now())) return { failure: 'session_ended' };
  const { id, expiresAt, actor, actorName, role, brandIds } = session;
  return {
    caller: { actor, actorName, role, brandIds, session: { id, expiresAt } },
    used: { credential: 'session', rowId: id },
  };
}

interface SignIn extends Omit<InternalCaller, 'session'> {
  /** The row of the administrator; null: none. */
  readonly administratorId: number | null;
  /** The end of the credential; null: it does not expire. */
  readonly credentialExpiresAt: Date | null;
  /** The user of a single sign-on as the identity provider identifies them, for the audit. */
  readonly identity?: { readonly issuer: string; readonly subject: string };
  readonly address: string;
  readonly requestId: string;
}

/** Begins a session [internal-120] in its own transaction and returns its cookie. The credential's end ends it. */
export async function beginSession(
  { database, clock }: Pick<ServiceContext, 'database' | 'clock'>,
  { address, requestId, credentialExpiresAt, identity, ...caller }: SignIn,
): Promise<string> {
  const token = randomHex(64);
  const now = clock.now();
  const end = Math.min(now + sessionLifeMs, credentialExpiresAt?.getTime() ?? Infinity);
  const { actor, actorName } = caller;
  const work = async (tx: AuditedTransaction) => {
    const session = await insertSession(tx, {
      ...caller,
      tokenSha256: sha256(token),
      address: address === '' ? null : address,
      createdAt: new Date(now),
      expiresAt: new Date(end),
    });
    await record(tx, 'session.create', session, identity);
  };
  await database.auditedTransaction({ actor, actorName, address, requestId }, work);
  return token;
}

/** Ends a session, in the caller's transaction: after the commit every process refuses its cookie. False: there is none. */
export async function endSession(tx: AuditedTransaction, id: number): Promise<boolean> {
  const session = await deleteSession(tx, id);
  if (session !== null) await record(tx, 'session.delete', session);
  return session !== null;
}

function record(
  tx: AuditedTransaction,
  action: AuditAction,
  session: Session,
  identity: SignIn['identity'] = undefined,
): Promise<void> {
  return recordAudit(tx, {
    action,
    brandId: null,
    resourceType: 'session',
    resourceId: String(session.id),
    details: {
      actor: session.actor,
      role: session.role,
      expires_at: session.expiresAt.toISOString(),
      ...identity,
    },
  });
}
