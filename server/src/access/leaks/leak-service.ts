import type { AccessRole } from '../../api/access.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import type { Database } from '../../postgres/database.ts';
import type { AuditedTransaction, Initiator } from '../../postgres/transaction.ts';
import type { AdminToken } from '../authentication/admin-token.ts';
import { findMentions } from './find-mentions.ts';
import { type Leak, type Mention, unknownLeak } from './leak.ts';
import { readStoredSecrets, type StoredSecret } from './queries/stored-secrets.ts';
import { type SecretKind, secretKinds } from './secret-kinds.ts';

export interface LeakContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly adminToken: AdminToken;
}

export interface LeakSearch {
  /** Neither logged nor stored. */
  readonly text: string;
  /** Revokes what the string contains the real secret of. */
  readonly revokes: boolean;
  /** Leaves out what belongs to other brands; null: nothing. */
  readonly brandIds: readonly number[] | null;
  /** Tokens of administrators are found only, unless an administrator asks. */
  readonly role: AccessRole;
  readonly initiator: Initiator;
}

/**
 * Finds the secrets of the service in a string, in order of their first place; the configured admin token first. Revocations are
 * one transaction, with an audit entry each. @throws ApiError `validation_failed` on `text`
 */
export async function findLeaks(context: LeakContext, search: LeakSearch): Promise<readonly Leak[]> {
  const { text, revokes, brandIds, role } = search;
  const visible = (await identify(context, findMentions(text)))
    .filter(({ brandId }) => brandIds === null || brandId === null || brandIds.includes(brandId))
    // Who has a token of the internal surface is for administrators.
    .map((leak) => (isOfAdministrators(leak, role) ? { ...leak, name: null } : leak));
  const found = revokes ? await revokeAll(context.database, visible, search) : visible;
  return context.adminToken.isIn(text) ? [adminTokenLeak, ...found] : found;
}

const adminTokenLeak: Leak = { ...unknownLeak, kind: 'admin_token', state: 'active', secretMatches: true };

function isOfAdministrators({ kind }: Leak, role: AccessRole): boolean {
  return kind === 'administrator_token' && role !== 'administrator';
}

async function identify({ database, clock }: LeakContext, mentions: readonly Mention[]): Promise<Leak[]> {
  const isFeedToken = ({ kind }: Mention) => kind === 'feed_token';
  const publicIds = mentions.filter((mention) => !isFeedToken(mention)).map(({ name }) => name);
  const digests = mentions.filter(isFeedToken).map(({ name }) => sha256(name));
  const rows = await readStoredSecrets(database, publicIds, digests);
  const stored = new Map(rows.map((row) => [row.name, row]));
  return mentions.map((mention) => {
    const name = isFeedToken(mention) ? sha256(mention.name).toString('hex') : mention.name;
    return leakOf(mention, stored.get(name), clock.now());
  });
}

function leakOf({ kind, name, secrets }: Mention, row: StoredSecret | undefined, now: number): Leak {
  const isFeedToken = kind === 'feed_token';
  const found = isFeedToken ? [name] : [...secrets];
  if (row === undefined)
    return isFeedToken
      ? { ...unknownLeak, kind, state: 'deleted' }
      : { ...unknownLeak, kind, id: name, secretMatches: found.length === 0 ? null : false };
  const matches = found.map((secret) => digestsEqual(sha256(secret), row.secret_sha256));
  return {
    kind,
    id: row.id,
    brandId: row.brand_id,
    name: row.label,
    isRevoked: false,
    state: stateOf(row, now),
    secretMatches: found.length === 0 ? null : matches.includes(true),
  };
}

function stateOf({ expires_at, revoked_at }: StoredSecret, now: number): Leak['state'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at.getTime() <= now ? 'expired' : 'active';
}

function revokeAll(
  database: Database,
  leaks: readonly Leak[],
  { role, initiator }: Pick<LeakSearch, 'role' | 'initiator'>,
): Promise<readonly Leak[]> | readonly Leak[] {
  const revocable = leaks.filter((leak) => isRevocable(leak, role));
  if (revocable.length === 0) return leaks;
  return database.auditedTransaction(initiator, async (tx) => {
    const after = new Map<Leak, Leak>();
    // In one order, so that two calls cannot block each other.
    for (const leak of revocable.sort(inOrder)) after.set(leak, await revoke(tx, leak));
    return leaks.map((leak) => after.get(leak) ?? leak);
  });
}

/** An expired key is revoked as well: its expiry is no statement about the leak. */
function isRevocable(leak: Leak, role: AccessRole): boolean {
  const { state, secretMatches } = leak;
  return (
    secretMatches === true && (state === 'active' || state === 'expired') && !isOfAdministrators(leak, role)
  );
}

function inOrder(a: Leak, b: Leak): number {
  return `${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1;
}

async function revoke(tx: AuditedTransaction, leak: Leak): Promise<Leak> {
  const kind = secretKinds.find((one) => one.kind === leak.kind) as SecretKind;
  try {
    await kind.revoke(tx, leak.id);
    return { ...leak, state: kind.revoked, isRevoked: true };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return { ...leak, state: kind.gone };
    throw error;
  }
}
