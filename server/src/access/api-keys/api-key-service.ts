import type { Scope } from '../../api/access.ts';
import type { AuditAction } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { ApiError, invalidField, notFound } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { isMatched } from '../../lib/entity-tags.ts';
import { digestsEqual, sha256 } from '../../lib/secrets.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { findCredential, parseApiKey } from '../authentication/authentication.ts';
import {
  type ApiKey,
  type ApiKeyChange,
  apiKeyDifference,
  apiKeyTag,
  changedApiKey,
  isKeyId,
  newApiKey,
  requireFutureExpiry,
} from './api-key.ts';
import {
  deleteApiKeyRow,
  insertApiKey,
  lockApiKey,
  setApiKeyRevoked,
  updateApiKeyRow,
} from './api-key-store.ts';

export interface ApiKeyRequest {
  readonly brandId: number;
  readonly name: string;
  /** At least one, each once. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** The key of the same brand that the new one replaces after an overlap; null: none. */
  readonly replacesKeyId: string | null;
}

export interface IssuedApiKey {
  readonly key: ApiKey;
  /** `tuk_<24 hex>.<40 characters>`; known only now. */
  readonly plaintext: string;
}

/**
 * Issues a key in the caller's transaction. A key that replaces another joins its lineage, so a retry under the new key finds the
 * Idempotency-Keys of the old one [internal-24], and has its limits [internal-182].
 * @throws ApiError `not_found` without the brand; `validation_failed` if the key would already have expired, or on
 * `replaces_key_id` if that is not a valid key of the brand
 */
export async function createApiKey(
  tx: AuditedTransaction,
  clock: Clock,
  request: ApiKeyRequest,
): Promise<IssuedApiKey> {
  await getBrand(tx, request.brandId);
  requireFutureExpiry(request.expiresAt, clock.now());
  const replaced = await lockReplaced(tx, request);
  const { plaintext, ...made } = newApiKey();
  const lineageId = replaced?.lineageId ?? null;
  const carried = { lineageId, ownLimits: replaced?.ownLimits ?? null };
  const key = await insertApiKey(tx, { ...request, ...made, ...carried, rotatedFromKeyId: null });
  await record(tx, 'api_key.create', key, {
    name: key.name,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
    ...(replaced !== null && { replaces_key_id: replaced.keyId }),
  });
  return { key, plaintext };
}

/**
 * Replaces a key by a successor with the same brand, name, scopes, own limits and lineage, and revokes it [internal-21]
 * [internal-22] [D251]. One of several concurrent rotations succeeds. By default the successor expires when its predecessor does;
 * null = never.
 * @throws ApiError `not_found`; `validation_failed` on `expires_at` if it has passed; `conflict` if the key is revoked
 */
export async function rotateApiKey(
  tx: AuditedTransaction,
  clock: Clock,
  keyId: string,
  givenExpiry?: Date | null,
): Promise<IssuedApiKey> {
  const predecessor = await lockExisting(tx, keyId);
  const now = clock.now();
  if (givenExpiry !== undefined) requireFutureExpiry(givenExpiry, now);
  if (predecessor.revokedAt !== null)
    throw new ApiError('conflict', { message: 'The key is already revoked.' });
  const expiresAt = givenExpiry === undefined ? predecessor.expiresAt : givenExpiry;
  if (expiresAt !== null && expiresAt.getTime() <= now)
    throw invalidField('expires_at', 'is required because the key has expired');
  await setApiKeyRevoked(tx, predecessor);
  const { plaintext, ...made } = newApiKey();
  const { brandId, name, scopes, lineageId, ownLimits } = predecessor;
  const key = await insertApiKey(tx, {
    brandId,
    name,
    scopes,
    expiresAt,
    lineageId,
    ownLimits,
    ...made,
    rotatedFromKeyId: predecessor.keyId,
    replacesKeyId: null,
  });
  await record(tx, 'api_key.rotate', predecessor, {
    successor_key_id: key.keyId,
    ...(givenExpiry !== undefined && { expires_at: expiresAt?.toISOString() ?? null }),
  });
  return { key, plaintext };
}

/**
 * Changes the name, scopes or expiry of a key, in the caller's transaction; requests see it after the commit [internal-198].
 * If no value differs, nothing is written.
 * @param ifMatch the header; undefined: any state is changed
 * @throws ApiError `not_found`; `precondition_failed` if the key has changed; `conflict` if it is revoked; see `changedApiKey`
 */
export async function updateApiKey(
  tx: AuditedTransaction,
  clock: Clock,
  keyId: string,
  { ifMatch, ...change }: ApiKeyChange & { readonly ifMatch?: string | undefined },
): Promise<ApiKey> {
  const before = await lockExisting(tx, keyId);
  if (ifMatch !== undefined && !isMatched(apiKeyTag(before), ifMatch))
    throw new ApiError('precondition_failed');
  if (before.revokedAt !== null)
    throw new ApiError('conflict', { message: 'The key is revoked and cannot be changed.' });
  const after = changedApiKey(before, change, clock.now());
  const changes = apiKeyDifference(before, after);
  if (Object.keys(changes).length === 0) return before;
  await updateApiKeyRow(tx, after);
  await record(tx, 'api_key.update', after, { name: after.name, changes });
  return after;
}

/**
 * Revokes a key, in the caller's transaction: after the commit every process refuses the key [platform-4]. The time of the first
 * revocation is kept. @throws ApiError `not_found`
 */
export async function revokeApiKey(tx: AuditedTransaction, keyId: string): Promise<ApiKey> {
  const key = await lockExisting(tx, keyId);
  if (key.revokedAt !== null) return key;
  const revoked = await setApiKeyRevoked(tx, key);
  await record(tx, 'api_key.revoke', revoked, { name: key.name });
  return revoked;
}

/**
 * Revokes the key that this is the whole text of, `tuk_<24 hex>.<40 characters>`, as `revokeApiKey` does [internal-104].
 * @throws ApiError `not_found`, also if the secret is not the key's
 */
export async function revokeWholeApiKey(tx: AuditedTransaction, text: string): Promise<ApiKey> {
  const parsed = parseApiKey(text);
  if ('failure' in parsed) throw notFound();
  const stored = await findCredential(tx, parsed.keyId);
  if (stored === undefined || !digestsEqual(sha256(parsed.secret), stored.secretSha256)) throw notFound();
  return revokeApiKey(tx, parsed.keyId);
}

/** Deletes a key, in the caller's transaction. @throws ApiError `not_found` */
export async function deleteApiKey(tx: AuditedTransaction, keyId: string): Promise<void> {
  const key = await lockExisting(tx, keyId);
  await deleteApiKeyRow(tx, key);
  await record(tx, 'api_key.delete', key, { name: key.name });
}

async function lockReplaced(
  tx: AuditedTransaction,
  { brandId, replacesKeyId }: ApiKeyRequest,
): Promise<ApiKey | null> {
  if (replacesKeyId === null) return null;
  const key = isKeyId(replacesKeyId) ? await lockApiKey(tx, replacesKeyId) : null;
  if (key?.brandId !== brandId) throw invalidField('replaces_key_id', 'is not a key of the brand');
  if (key.revokedAt !== null) throw invalidField('replaces_key_id', 'is a revoked key');
  return key;
}

/** @throws ApiError `not_found` */
export async function lockExisting(tx: AuditedTransaction, keyId: string): Promise<ApiKey> {
  const key = isKeyId(keyId) ? await lockApiKey(tx, keyId) : null;
  if (key === null) throw notFound();
  return key;
}

function record(
  tx: AuditedTransaction,
  action: AuditAction,
  key: ApiKey,
  details: Record<string, unknown>,
): Promise<void> {
  return recordAudit(tx, {
    action,
    brandId: key.brandId,
    resourceType: 'api_key',
    resourceId: key.keyId,
    details,
  });
}
