import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { ApiKey } from './api-key.ts';

export const apiKeyColumns = `brand_id as "brandId", key_id as "keyId", lineage_id as "lineageId", name, scopes,
  expires_at as "expiresAt", revoked_at as "revokedAt", rotated_from_key_id as "rotatedFromKeyId",
  replaces_key_id as "replacesKeyId", last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom",
  last_refused_at as "lastRefusedAt", last_refused_code as "lastRefusedCode", own_limits as "ownLimits",
  created_at as "createdAt"`;

export interface ApiKeyInsert
  extends Pick<
    ApiKey,
    'brandId' | 'keyId' | 'name' | 'scopes' | 'expiresAt' | 'rotatedFromKeyId' | 'replacesKeyId' | 'ownLimits'
  > {
  readonly secretSha256: Buffer;
  /** null: the key begins a new lineage. */
  readonly lineageId: number | null;
}

export async function insertApiKey(tx: Transaction, key: ApiKeyInsert): Promise<ApiKey> {
  const rows = await tx.run(
    statement<ApiKey>(
      'insert_api_key',
      // The id is generated first, because the first key of a lineage refers to itself.
      `with next as (select nextval(pg_get_serial_sequence('api_keys', 'id')) as id)
       insert into api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes, expires_at,
         rotated_from_key_id, replaces_key_id, own_limits)
       overriding system value
       select $1, id, $2, coalesce($3::bigint, id), $4, $5, $6, $7, $8, $9, $10::jsonb from next
       returning ${apiKeyColumns}`,
      [
        key.brandId,
        key.keyId,
        key.lineageId,
        key.secretSha256,
        key.name,
        key.scopes,
        key.expiresAt,
        key.rotatedFromKeyId,
        key.replacesKeyId,
        key.ownLimits,
      ],
    ),
  );
  return rows[0] as ApiKey;
}

/** Reads a key and locks it against changes and deletion until the transaction ends. */
export async function lockApiKey(tx: Transaction, keyId: string): Promise<ApiKey | null> {
  const rows = await tx.run(
    statement<ApiKey>('lock_api_key', `select ${apiKeyColumns} from api_keys where key_id = $1 for update`, [
      keyId,
    ]),
  );
  return rows[0] ?? null;
}

export async function setApiKeyRevoked(tx: Transaction, { brandId, keyId }: ApiKey): Promise<ApiKey> {
  const rows = await tx.run(
    statement<ApiKey>(
      'set_api_key_revoked',
      `update api_keys set revoked_at = now_ms()
       where brand_id = $1 and key_id = $2
       returning ${apiKeyColumns}`,
      [brandId, keyId],
    ),
  );
  return rows[0] as ApiKey;
}

/** Writes the name, scopes and expiry of a key. */
export async function updateApiKeyRow(tx: Transaction, key: ApiKey): Promise<void> {
  await tx.run(
    statement<never>(
      'update_api_key',
      'update api_keys set name = $3, scopes = $4, expires_at = $5 where brand_id = $1 and key_id = $2',
      [key.brandId, key.keyId, key.name, key.scopes, key.expiresAt],
    ),
  );
}

export async function deleteApiKeyRow(tx: Transaction, { brandId, keyId }: ApiKey): Promise<void> {
  await tx.run(
    statement<never>('delete_api_key', 'delete from api_keys where brand_id = $1 and key_id = $2', [
      brandId,
      keyId,
    ]),
  );
}
