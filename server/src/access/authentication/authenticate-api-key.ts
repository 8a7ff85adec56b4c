import type { Caller, Scope } from '../../api/scopes.ts';
import type { Clock } from '../../lib/clock.ts';
import { digestsEqual, sha256 } from '../../lib/sha256.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import { type Limits, limitsInForce, type OwnLimits } from '../own-limits/own-limits.ts';
import type { RefusalReason } from '../refusals/refusal.ts';
import { type AuthenticationFailure, bearerToken, parseApiKey } from './bearer.ts';
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
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  rawHeaders: readonly string[],
): Promise<AuthenticationResult> {
  const bearer = bearerToken(rawHeaders);
  if ('failure' in bearer) return bearer;
  const credentials = parseApiKey(bearer.token);
  if ('failure' in credentials) return credentials;

  const row = await findCredential(database, credentials.keyId);
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

interface CredentialRow {
  readonly id: number;
  readonly brand_id: number;
  readonly lineage_id: number;
  readonly secret_sha256: Buffer;
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly own_limits: OwnLimits | null;
  /** Those of its brand, in this row so that a change holds from the next request on [D251]. */
  readonly brand_limits: OwnLimits | null;
}

/** Looks up a key on every request, so that a revoked key is refused by the next one, in every process [platform-4] [D4]. */
export async function findCredential(database: Queryable, keyId: string): Promise<CredentialRow | undefined> {
  const [row] = await database.run(
    statement<CredentialRow>(
      'find_credential',
      `select k.id, k.brand_id, k.lineage_id, k.secret_sha256, k.name, k.scopes, k.expires_at, k.revoked_at, k.own_limits,
         b.own_limits as brand_limits
       from api_keys k
       join brands b on b.id = k.brand_id
       where k.key_id = $1`,
      [keyId],
    ),
  );
  return row;
}
