import { ApiError } from '../../errors/api-error.ts';
import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import { revokeApiKey } from '../api-keys/api-key-service.ts';
import { type Leak, type Mention, unknownLeak } from './leak.ts';
import { type LeakedKeyRow, readLeakedKeys } from './queries/read-leaked-keys.ts';
import type { SecretKind } from './secret-kind.ts';

export const apiKeyLeaks: SecretKind = {
  kind: 'api_key',
  pattern: /(tuk_[0-9a-f]{24})(?:\.([A-Za-z0-9]{40}))?/,
  identify: async (database, mentions, now) => {
    const rows = await readLeakedKeys(
      database,
      mentions.map(({ name }) => name),
    );
    const byId = new Map(rows.map((row) => [row.key_id, row]));
    return mentions.map((mention) => leakOf(mention, byId.get(mention.name), now));
  },
  revoke: async (tx, leak) => {
    try {
      await revokeApiKey(tx, String(leak.id));
      return { ...leak, state: 'revoked', isRevoked: true };
    } catch (error) {
      // Deleted since.
      if (error instanceof ApiError && error.code === 'not_found') return { ...leak, state: 'unknown' };
      throw error;
    }
  },
};

function leakOf({ kind, name, secrets }: Mention, row: LeakedKeyRow | undefined, now: number): Leak {
  if (row === undefined)
    return { ...unknownLeak, kind, id: name, secretMatches: secrets.size === 0 ? null : false };
  const matches = [...secrets].map((secret) => digestsEqual(sha256(secret), row.secret_sha256));
  return {
    ...{ kind, id: name, brandId: row.brand_id, name: row.name, isRevoked: false },
    state: stateOf(row, now),
    secretMatches: secrets.size === 0 ? null : matches.includes(true),
  };
}

function stateOf({ expires_at, revoked_at }: LeakedKeyRow, now: number): Leak['state'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at.getTime() <= now ? 'expired' : 'active';
}
