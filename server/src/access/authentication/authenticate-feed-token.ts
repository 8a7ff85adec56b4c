import type { Caller } from '../../api/scopes.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { AuthenticationFailure } from './bearer.ts';
import { bearerToken } from './bearer.ts';

const form = /^cfk_[A-Za-z0-9]{40}$/;

/**
 * Finds out which feed token a request of the legacy path carries; an API key is none [catalog-100]. The
 * token is looked up by its digest, on every request: one that was deleted is refused by the very next one.
 */
export async function authenticateFeedToken(
  database: Queryable,
  rawHeaders: readonly string[],
): Promise<
  { readonly caller: Caller; readonly tokenRowId: number } | { readonly failure: AuthenticationFailure }
> {
  const bearer = bearerToken(rawHeaders);
  if ('failure' in bearer) return bearer;
  const { token } = bearer;
  if (!form.test(token)) return { failure: token.startsWith('tuk_') ? 'api_key' : 'malformed' };
  const rows = await database.run(
    statement<{ id: number; brand_id: number; name: string }>(
      'find_feed_token',
      'select id, brand_id, name from feed_tokens where token_sha256 = $1',
      [sha256(token)],
    ),
  );
  const row = rows[0];
  if (row === undefined) return { failure: 'unknown' };
  return {
    tokenRowId: row.id,
    caller: {
      brandId: row.brand_id,
      // No key has such an id, so the token has a bucket of its own, and the log tells it from a key.
      keyId: `feed-token:${row.id}`,
      // Nothing that a feed token opens keeps idempotency records.
      lineageId: 0,
      keyName: row.name,
      scopes: new Set(),
      expiresAt: null,
    },
  };
}
