import { ApiError } from '../../errors/api-error.ts';
import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import { deleteAdministrator } from '../administrators/administrator-service.ts';
import { type Leak, type Mention, unknownLeak } from './leak.ts';
import {
  type LeakedAdministratorRow,
  readLeakedAdministrators,
} from './queries/read-leaked-administrators.ts';
import type { SecretKind } from './secret-kind.ts';

/** Revoking the token of an administrator deletes the administrator and ends its sessions. */
export const administratorLeaks: SecretKind = {
  kind: 'administrator_token',
  pattern: /(bpa_[0-9a-f]{24})(?:\.([A-Za-z0-9]{40}))?/,
  revokedBy: ['administrator'],
  identify: async (database, mentions, now) => {
    const rows = await readLeakedAdministrators(
      database,
      mentions.map(({ name }) => name),
    );
    const byId = new Map(rows.map((row) => [row.token_id, row]));
    return mentions.map((mention) => leakOf(mention, byId.get(mention.name), now));
  },
  revoke: async (tx, leak) => {
    try {
      await deleteAdministrator(tx, String(leak.id));
      return { ...leak, state: 'deleted', isRevoked: true };
    } catch (error) {
      // Deleted since.
      if (error instanceof ApiError && error.code === 'not_found') return { ...leak, state: 'unknown' };
      throw error;
    }
  },
};

function leakOf(
  { kind, name, secrets }: Mention,
  row: LeakedAdministratorRow | undefined,
  now: number,
): Leak {
  if (row === undefined)
    return { ...unknownLeak, kind, id: name, secretMatches: secrets.size === 0 ? null : false };
  const matches = [...secrets].map((secret) => digestsEqual(sha256(secret), row.secret_sha256));
  return {
    ...{ kind, id: name, brandId: null, name: row.name, isRevoked: false },
    state: row.expires_at !== null && row.expires_at.getTime() <= now ? 'expired' : 'active',
    secretMatches: secrets.size === 0 ? null : matches.includes(true),
  };
}
