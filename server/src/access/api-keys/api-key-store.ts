import type { Scope } from '../../api/scopes.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { OwnLimits } from '../own-limits/own-limits.ts';
import type { ApiKey } from './api-key.ts';

export interface ApiKeyRow {
  readonly brand_id: number;
  readonly key_id: string;
  readonly lineage_id: number;
  readonly name: string;
  readonly scopes: Scope[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly rotated_from_key_id: string | null;
  readonly replaces_key_id: string | null;
  readonly last_used_at: Date | null;
  readonly last_used_from: string | null;
  readonly last_refused_at: Date | null;
  readonly last_refused_code: string | null;
  readonly own_limits: OwnLimits | null;
  readonly created_at: Date;
}

/** All but the hash of the secret, which only authentication reads. */
export const apiKeyColumns = `brand_id, key_id, lineage_id, name, scopes, expires_at, revoked_at, rotated_from_key_id,
  replaces_key_id, last_used_at, last_used_from, last_refused_at, last_refused_code, own_limits,
  created_at`;

export function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    brandId: row.brand_id,
    keyId: row.key_id,
    lineageId: row.lineage_id,
    name: row.name,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    rotatedFromKeyId: row.rotated_from_key_id,
    replacesKeyId: row.replaces_key_id,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    lastRefusedAt: row.last_refused_at,
    lastRefusedCode: row.last_refused_code,
    ownLimits: row.own_limits,
    createdAt: row.created_at,
  };
}

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
    statement<ApiKeyRow>(
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
  return apiKeyFromRow(rows[0] as ApiKeyRow);
}

/** Reads a key and locks it against changes and deletion until the transaction ends. */
export async function lockApiKey(tx: Transaction, keyId: string): Promise<ApiKey | null> {
  const rows = await tx.run(
    statement<ApiKeyRow>(
      'lock_api_key',
      `select ${apiKeyColumns} from api_keys where key_id = $1 for update`,
      [keyId],
    ),
  );
  return rows[0] === undefined ? null : apiKeyFromRow(rows[0]);
}

/** Sets `revoked_at` of a locked key to now. */
export async function setApiKeyRevoked(tx: Transaction, { brandId, keyId }: ApiKey): Promise<ApiKey> {
  const rows = await tx.run(
    statement<ApiKeyRow>(
      'set_api_key_revoked',
      `update api_keys set revoked_at = now_ms()
       where brand_id = $1 and key_id = $2
       returning ${apiKeyColumns}`,
      [brandId, keyId],
    ),
  );
  return apiKeyFromRow(rows[0] as ApiKeyRow);
}

export async function deleteApiKeyRow(tx: Transaction, { brandId, keyId }: ApiKey): Promise<void> {
  await tx.run(
    statement<never>('delete_api_key', 'delete from api_keys where brand_id = $1 and key_id = $2', [
      brandId,
      keyId,
    ]),
  );
}
