import type { Caller, Scope } from '../../api/access.ts';
import type { Clock } from '../../lib/clock.ts';
import { digestsEqual, sha256 } from '../../lib/secrets.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { type Limits, limitsInForce, type OwnLimits } from '../own-limits.ts';
import type { RefusalReason } from '../refusals/refusal.ts';
import type { RefusedKey } from './key-usage-recorder.ts';

/** Why a request was refused: for the metrics, never for the client [platform-3]. */
export type AuthenticationFailure =
  | 'missing'
  | 'malformed'
  | 'feed_token'
  | 'api_key'
  | 'unknown'
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  | 'cookie_refused'
  | 'session_ended';

interface ApiKeyCredentials {
  readonly keyId: string;
  readonly secret: string;
}

const bearer = /^bearer +(\S+) *$/i;
const apiKey = /^(tuk_[0-9a-f]{24})\.([A-Za-z0-9]{40})$/;

/** Returns the token of the single `Authorization: Bearer` header. Several are malformed (Node would keep the first). */
export function bearerToken(
  rawHeaders: readonly string[],
): { token: string } | { failure: AuthenticationFailure } {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization')
      values.push(rawHeaders[i + 1] as string);
  }
  if (values.length === 0) return { failure: 'missing' };
  const token = values.length === 1 ? bearer.exec(values[0] as string)?.[1] : undefined;
  return token === undefined ? { failure: 'malformed' } : { token };
}

/** Reads `tuk_<24 hex>.<40 characters>` [platform-1]. */
export function parseApiKey(token: string): ApiKeyCredentials | { failure: AuthenticationFailure } {
  if (token.startsWith('cfk_')) return { failure: 'feed_token' };
  const match = apiKey.exec(token);
  return match === null
    ? { failure: 'malformed' }
    : { keyId: match[1] as string, secret: match[2] as string };
}

export class AdminToken {
  readonly #digests: readonly Buffer[];

  /** Accepts each of the tokens, so that a new one can be introduced while the old one is in use. */
  constructor(...tokens: readonly string[]) {
    this.#digests = tokens.map((token) => sha256(token));
  }

  matches(token: string): boolean {
    const digest = sha256(token);
    // All are compared: the time does not show which one it was.
    return this.#digests.filter((one) => digestsEqual(digest, one)).length > 0;
  }
}

type AuthenticationResult =
  | { readonly caller: Caller; readonly keyRowId: number; readonly limits: Limits | undefined }
  | { readonly failure: AuthenticationFailure; readonly key?: undefined }
  | { readonly failure: RefusalReason; readonly key: KnownKey };

interface KnownKey extends RefusedKey {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

// Used in the comparison if the key is unknown, so that an unknown key takes the same steps as a wrong secret.
const noDigest = Buffer.alloc(32);

/**
 * Authenticates a request by its API key. Every failure gets the same response [platform-3]. The secret is hashed and compared in
 * constant time, whether the key exists or not.
 */
export async function authenticateApiKey(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  rawHeaders: readonly string[],
): Promise<AuthenticationResult> {
  const bearer = bearerToken(rawHeaders);
  if ('failure' in bearer) return bearer;
  const credentials = parseApiKey(bearer.token);
  if ('failure' in credentials) return credentials;

  const row = await findCredential(database, credentials.keyId);
  const secretFits = digestsEqual(sha256(credentials.secret), row?.secretSha256 ?? noDigest);
  if (row === undefined) return { failure: 'unknown' };
  // Not of this key: anybody may know its id [D293].
  if (!secretFits) return { failure: 'wrong_secret' };
  const { id: rowId, brandId, scopes } = row;
  const key = { keyId: credentials.keyId, rowId, brandId, scopes };
  if (row.revokedAt !== null) return { failure: 'revoked', key };
  if (row.expiresAt !== null && row.expiresAt.getTime() <= clock.now()) return { failure: 'expired', key };
  return {
    keyRowId: rowId,
    limits: limitsInForce({ ofKey: row.ownLimits, ofBrand: row.brandLimits }, clock.now()),
    caller: {
      brandId,
      keyId: credentials.keyId,
      lineageId: row.lineageId,
      keyName: row.name,
      scopes: new Set(scopes),
      expiresAt: row.expiresAt,
    },
  };
}

interface CredentialRow {
  readonly id: number;
  readonly brandId: number;
  readonly lineageId: number;
  readonly secretSha256: Buffer;
  readonly name: string;
  readonly scopes: Scope[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly ownLimits: OwnLimits | null;
  /** Those of its brand, in this row so that a change holds from the next request on [D251]. */
  readonly brandLimits: OwnLimits | null;
}

/** Looks up a key on every request, so that a revoked key is refused by the next one, in every process [platform-4] [D251]. */
export async function findCredential(database: Queryable, keyId: string): Promise<CredentialRow | undefined> {
  const [row] = await database.run(
    statement<CredentialRow>(
      'find_credential',
      `select k.id, k.brand_id as "brandId", k.lineage_id as "lineageId", k.secret_sha256 as "secretSha256", k.name,
         k.scopes, k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.own_limits as "ownLimits",
         b.own_limits as "brandLimits"
       from api_keys k
       join brands b on b.id = k.brand_id
       where k.key_id = $1`,
      [keyId],
      { vital: true },
    ),
  );
  return row;
}

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
      brandId: number;
      name: string;
      brandLimits: OwnLimits | null;
    }>(
      'find_feed_token',
      `select t.id, t.brand_id as "brandId", t.name, b.own_limits as "brandLimits"
       from feed_tokens t join brands b on b.id = t.brand_id where t.token_sha256 = $1`,
      [sha256(token)],
      { vital: true },
    ),
  );
  const row = rows[0];
  if (row === undefined) return { failure: 'unknown' };
  return {
    tokenRowId: row.id,
    brandLimits: row.brandLimits,
    caller: {
      brandId: row.brandId,
      // No key has such an id, so the token has its own bucket, and the log distinguishes it from a key.
      keyId: `feed-token:${row.id}`,
      lineageId: null,
      keyName: row.name,
      scopes: new Set(),
      expiresAt: null,
    },
  };
}
