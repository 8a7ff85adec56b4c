import type { Scope } from '../../api/scopes.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { ApiError, notFound } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { type ApiKey, isKeyId, newApiKey, requireFutureExpiry } from './api-key.ts';
import { deleteApiKeyRow, insertApiKey, lockApiKey, setApiKeyRevoked } from './api-key-store.ts';

export interface ApiKeyRequest {
  readonly brandId: number;
  readonly name: string;
  /** At least one, each once. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

export interface IssuedApiKey {
  readonly key: ApiKey;
  /** `tuk_<24 hex>.<40 characters>`: this is the only time that it is known. */
  readonly plaintext: string;
}

/**
 * Issues a key, in the caller's transaction.
 * @throws ApiError `not_found` without such a brand, `validation_failed` when the key would have expired already.
 */
export async function createApiKey(
  tx: Transaction,
  clock: Clock,
  request: ApiKeyRequest,
): Promise<IssuedApiKey> {
  await getBrand(tx, request.brandId);
  requireFutureExpiry(request.expiresAt, clock.now());
  const { plaintext, ...made } = newApiKey();
  const key = await insertApiKey(tx, { ...request, ...made, predecessor: null });
  await record(tx, 'api_key.create', key, {
    name: key.name,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
  });
  return { key, plaintext };
}

/**
 * Replaces a key by a successor with the same brand, name, scopes, expiry and lineage, and revokes it, in the caller's
 * transaction (contract, Authentication 4). Of several rotations at once the row lock lets one win.
 * @throws ApiError `not_found`, or `conflict` when the key is revoked already.
 */
export async function rotateApiKey(tx: Transaction, keyId: string): Promise<IssuedApiKey> {
  const predecessor = await lockExisting(tx, keyId);
  if (predecessor.revokedAt !== null)
    throw new ApiError('conflict', { message: 'The key is revoked already.' });
  await setApiKeyRevoked(tx, predecessor);
  const { plaintext, ...made } = newApiKey();
  const { brandId, name, scopes, expiresAt } = predecessor;
  const key = await insertApiKey(tx, { brandId, name, scopes, expiresAt, ...made, predecessor });
  await record(tx, 'api_key.rotate', predecessor, { successor_key_id: key.keyId });
  return { key, plaintext };
}

/**
 * Revokes a key, in the caller's transaction: once that is committed, every process refuses the key (decision Both
 * domains 10). Revoking twice changes nothing, the first time stays.
 * @throws ApiError `not_found`
 */
export async function revokeApiKey(tx: Transaction, keyId: string): Promise<ApiKey> {
  const key = await lockExisting(tx, keyId);
  if (key.revokedAt !== null) return key;
  const revoked = await setApiKeyRevoked(tx, key);
  await record(tx, 'api_key.revoke', revoked, { name: key.name });
  return revoked;
}

/**
 * Deletes a key, in the caller's transaction. Its audit entries stay.
 * @throws ApiError `not_found`
 */
export async function deleteApiKey(tx: Transaction, keyId: string): Promise<void> {
  const key = await lockExisting(tx, keyId);
  await deleteApiKeyRow(tx, key);
  await record(tx, 'api_key.delete', key, { name: key.name });
}

async function lockExisting(tx: Transaction, keyId: string): Promise<ApiKey> {
  const key = isKeyId(keyId) ? await lockApiKey(tx, keyId) : null;
  if (key === null) throw notFound();
  return key;
}

function record(
  tx: Transaction,
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
