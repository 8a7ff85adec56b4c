import type { InternalCaller } from '../../api/access.ts';
import type { ServiceContext } from '../../api/operation.ts';
import type { AuditAction } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { randomHex } from '../../lib/ids.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { type Session, sessionLifeMs } from './session.ts';
import { deleteSession, insertSession } from './session-store.ts';

export interface SignIn extends Omit<InternalCaller, 'session'> {
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
