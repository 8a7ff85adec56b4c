import { ApiError } from '../../errors/api-error.ts';
import { sha256 } from '../../lib/sha256.ts';
import { deleteFeedToken } from '../feed-tokens/feed-token-service.ts';
import { unknownLeak } from './leak.ts';
import { readLeakedFeedTokens } from './queries/read-leaked-feed-tokens.ts';
import type { SecretKind } from './secret-kind.ts';

/** A feed token has no public id: one that is not stored was deleted, or never existed. */
export const feedTokenLeaks: SecretKind = {
  kind: 'feed_token',
  pattern: /(cfk_[A-Za-z0-9]{40})/,
  identify: async (database, mentions) => {
    const digests = mentions.map(({ name }) => sha256(name));
    const rows = await readLeakedFeedTokens(database, digests);
    const byDigest = new Map(rows.map((row) => [row.token_sha256.toString('hex'), row]));
    return mentions.map(({ kind }, index) => {
      const row = byDigest.get((digests[index] as Buffer).toString('hex'));
      if (row === undefined) return { ...unknownLeak, kind, state: 'deleted' };
      const { id, brand_id, name } = row;
      return { kind, id, brandId: brand_id, name, state: 'active', secretMatches: true, isRevoked: false };
    });
  },
  revoke: async (tx, leak) => {
    try {
      await deleteFeedToken(tx, Number(leak.id));
      return { ...leak, state: 'deleted', isRevoked: true };
    } catch (error) {
      // Deleted since.
      if (error instanceof ApiError && error.code === 'not_found') return { ...leak, state: 'deleted' };
      throw error;
    }
  },
};
