import type { AccessRole } from '../../api/access.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../postgres/database.ts';
import type { Initiator } from '../../postgres/transaction.ts';
import type { AdminToken } from '../authentication/admin-token.ts';
import { findMentions } from './find-mentions.ts';
import { type Leak, type LeakKind, unknownLeak } from './leak.ts';
import type { SecretKind } from './secret-kind.ts';
import { secretKinds } from './secret-kinds.ts';

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
  /** A kind that this role may not revoke is found only. */
  readonly role: AccessRole;
  readonly initiator: Initiator;
}

/**
 * Finds the secrets of the service in a string, in order of their first place; the configured admin token first. One statement
 * for each kind. Revocations are one transaction, with an audit entry each.
 * @throws ApiError `validation_failed` on `text`
 */
export async function findLeaks(context: LeakContext, search: LeakSearch): Promise<readonly Leak[]> {
  const { text, revokes, brandIds, role } = search;
  const mentions = findMentions(secretKinds, text);
  const leaks = new Map<string, Leak>();
  await Promise.all(
    secretKinds.map(async ({ kind, identify }) => {
      const own = mentions.filter((mention) => mention.kind === kind);
      if (own.length === 0) return;
      const identified = await identify(context.database, own, context.clock.now());
      for (const [index, leak] of identified.entries()) leaks.set(own[index]?.name ?? '', leak);
    }),
  );
  const visible = mentions
    .map(({ name }) => leaks.get(name) as Leak)
    .filter(({ brandId }) => brandIds === null || brandId === null || brandIds.includes(brandId))
    // Who has a token of the internal surface is for administrators.
    .map((leak) =>
      leak.kind === 'administrator_token' && role !== 'administrator' ? { ...leak, name: null } : leak,
    );
  const found = revokes ? await revokeAll(context.database, visible, search) : visible;
  return context.adminToken.isIn(text) ? [adminTokenLeak, ...found] : found;
}

const adminTokenLeak: Leak = { ...unknownLeak, kind: 'admin_token', state: 'active', secretMatches: true };

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
    for (const leak of revocable.sort(inOrder)) after.set(leak, await kindOf(leak).revoke(tx, leak));
    return leaks.map((leak) => after.get(leak) ?? leak);
  });
}

/** An expired key is revoked as well: its expiry is no statement about the leak. */
function isRevocable(leak: Leak, role: AccessRole): boolean {
  const { state, secretMatches } = leak;
  if (secretMatches !== true || (state !== 'active' && state !== 'expired')) return false;
  return kindOf(leak).revokedBy?.includes(role) ?? true;
}

function inOrder(a: Leak, b: Leak): number {
  return `${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1;
}

function kindOf({ kind }: { readonly kind: LeakKind }): SecretKind {
  return secretKinds.find((one) => one.kind === kind) as SecretKind;
}
