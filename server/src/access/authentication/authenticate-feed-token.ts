import type { Caller } from '../../api/scopes.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { OwnLimits } from '../own-limits/own-limits.ts';
import { type AuthenticationFailure, bearerToken } from './bearer.ts';

const form = /^cfk_[A-Za-z0-9]{40}$/;

/** Authenticates by a feed token, not by an API key [catalog-100]. A deleted token is refused by the next request. */
export async function authenticateFeedToken(
  database: Queryable,
  rawHeaders: readonly string[],
): Promise<
  | { readonly caller: Caller; readonly tokenRowId: number; readonly brandLimits: OwnLimits | null }
  | { readonly failure: AuthenticationFailure }
> {
  const bearer = bearerToken(rawHeaders);
  if ('failure' in bearer) return bearer;
  const { token } = bearer;
  if (!form.test(token)) return { failure: token.startsWith('tuk_') ? 'api_key' : 'malformed' };
  const rows = await database.run(
    statement<{
      id: number;
      brand_id: number;
      name: string;
      brand_limits: OwnLimits | null;
    }>(
      'find_feed_token',
      `select t.id, t.brand_id, t.name, b.own_limits as brand_limits
       from feed_tokens t join brands b on b.id = t.brand_id where t.token_sha256 = $1`,
      [sha256(token)],
    ),
  );
  const row = rows[0];
  if (row === undefined) return { failure: 'unknown' };
  return {
    tokenRowId: row.id,
    brandLimits: row.brand_limits,
    caller: {
      brandId: row.brand_id,
      // No key has such an id, so the token has its own bucket, and the log distinguishes it from a key.
      keyId: `feed-token:${row.id}`,
      // No operation for feed tokens stores idempotency records.
      lineageId: 0,
      keyName: row.name,
      scopes: new Set(),
      expiresAt: null,
    },
  };
}
