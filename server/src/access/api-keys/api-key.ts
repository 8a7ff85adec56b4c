import type { Scope } from '../../api/access.ts';
import { type Differences, differencesOf } from '../../audit/audit-entry.ts';
import { invalidField } from '../../errors/api-error.ts';
import { tagOfValues } from '../../lib/entity-tags.ts';
import { randomBase62, randomHex } from '../../lib/ids.ts';
import { sha256 } from '../../lib/secrets.ts';
import type { OwnLimits } from '../own-limits.ts';

/** An issued key. The secret is not stored, and its hash stays in the table. */
export interface ApiKey {
  readonly brandId: number;
  /** The public id, `tuk_<24 hex>`. */
  readonly keyId: string;
  /** The row id of the first key of a chain of rotations and overlaps; idempotency records belong to it. */
  readonly lineageId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** The public id of the key that this one replaced at once, by rotation. */
  readonly rotatedFromKeyId: string | null;
  /** The public id of the key that this one was issued to replace; both work until that one is revoked. */
  readonly replacesKeyId: string | null;
  /** Accurate to the interval at which uses are recorded. */
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
  /** When a request of the key was last refused or failed, as accurate. */
  readonly lastRefusedAt: Date | null;
  readonly lastRefusedCode: string | null;
  /** Its own rate limits; null: those of the settings. */
  readonly ownLimits: OwnLimits | null;
  readonly createdAt: Date;
}

export interface NewApiKey {
  readonly keyId: string;
  /** Hash of the part after the dot only. */
  readonly secretSha256: Buffer;
  /** `tuk_<24 hex>.<40 characters>`; shown once, never stored. */
  readonly plaintext: string;
}

/** Generates a key of 96 public and 238 secret random bits [platform-1]. */
export function newApiKey(): NewApiKey {
  const keyId = `tuk_${randomHex(24)}`;
  const secret = randomBase62(40);
  return { keyId, secretSha256: sha256(secret), plaintext: `${keyId}.${secret}` };
}

/** Returns whether a string has the form of a public key id. Others cannot name a key. */
export function isKeyId(text: string): boolean {
  return /^tuk_[0-9a-f]{24}$/.test(text);
}

export function maskedApiKey(keyId: string): string {
  return `${keyId}.…`;
}

/** Refuses an expiry in the past [internal-20]. @throws ApiError `validation_failed` on `expires_at` */
export function requireFutureExpiry(expiresAt: Date | null, now: number): void {
  if (expiresAt !== null && expiresAt.getTime() <= now)
    throw invalidField('expires_at', 'must be in the future');
}

/** A change of a key; absent fields are left unchanged. */
export interface ApiKeyChange {
  readonly name?: string;
  /** null: never. */
  readonly expiresAt?: Date | null;
  readonly scopes?: readonly Scope[];
}

/**
 * Returns the key after a change [internal-198]. The order of its scopes stays.
 * @throws ApiError `validation_failed` on `expires_at` if it has passed and differs, on `scopes` if the key lacks one of them
 */
export function changedApiKey(key: ApiKey, change: ApiKeyChange, now: number): ApiKey {
  const { name = key.name, expiresAt = key.expiresAt, scopes = key.scopes } = change;
  if (expiresAt?.getTime() !== key.expiresAt?.getTime()) requireFutureExpiry(expiresAt, now);
  const added = scopes.find((scope) => !key.scopes.includes(scope));
  if (added !== undefined)
    throw invalidField('scopes', `can only become fewer: the key does not have \`${added}\``);
  return { ...key, name, expiresAt, scopes: key.scopes.filter((scope) => scopes.includes(scope)) };
}

/** Returns the fields that may change and that differ, under their API names. */
export function apiKeyDifference(before: ApiKey, after: ApiKey): Differences {
  return differencesOf(before, after, {
    name: ({ name }) => name,
    expires_at: ({ expiresAt }) => expiresAt?.toISOString() ?? null,
    scopes: ({ scopes }) => scopes,
  });
}

/** Returns the entity tag of what may change of a key. */
export function apiKeyTag({ keyId, name, scopes, expiresAt, revokedAt }: ApiKey): string {
  return tagOfValues([keyId, name, scopes, expiresAt?.getTime(), revokedAt?.getTime()]);
}
