import type { Caller, Scope } from '../../api/scopes.ts';
import type { Clock } from '../../lib/clock.ts';
import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import type { Database } from '../../postgres/database.ts';
import { type Limits, limitsInForce } from '../own-limits/own-limits.ts';
import type { RefusalReason } from '../refusals/refusal.ts';
import { type AuthenticationFailure, bearerToken, parseApiKey } from './bearer.ts';
import { credentialRead } from './find-credential.ts';
import type { RefusedKey } from './key-usage.ts';

export type AuthenticationResult =
  | { readonly caller: Caller; readonly keyRowId: number; readonly limits: Limits | undefined }
  | { readonly failure: AuthenticationFailure; readonly key?: undefined }
  | { readonly failure: KnownKeyFailure; readonly key: KnownKey };

type KnownKeyFailure = Exclude<RefusalReason, 'deleted'>;

export interface KnownKey extends RefusedKey {
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
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  rawHeaders: readonly string[],
): Promise<AuthenticationResult> {
  const bearer = bearerToken(rawHeaders);
  if ('failure' in bearer) return bearer;
  const credentials = parseApiKey(bearer.token);
  if ('failure' in credentials) return credentials;

  const row = await database.findShared(credentialRead, credentials.keyId);
  const secretFits = digestsEqual(sha256(credentials.secret), row?.secret_sha256 ?? noDigest);
  if (row === undefined) return { failure: 'unknown' };
  const { id: rowId, brand_id: brandId, scopes } = row;
  const key = { keyId: credentials.keyId, rowId, brandId, scopes };
  if (!secretFits) return { failure: 'wrong_secret', key };
  if (row.revoked_at !== null) return { failure: 'revoked', key };
  if (row.expires_at !== null && row.expires_at.getTime() <= clock.now()) return { failure: 'expired', key };
  return {
    keyRowId: row.id,
    limits: limitsInForce({ ofKey: row.own_limits, ofBrand: row.brand_limits }, clock.now()),
    caller: {
      brandId: row.brand_id,
      keyId: credentials.keyId,
      lineageId: row.lineage_id,
      keyName: row.name,
      scopes: new Set(row.scopes),
      expiresAt: row.expires_at,
    },
  };
}
