import type { ApiKey } from '../api-key.ts';
import { type ApiKeyRow, apiKeyColumns, apiKeyFromRow } from '../api-key-store.ts';

/** A key with the keys that share its Idempotency-Keys. */
export interface ApiKeyDetail extends ApiKey {
  /** The public ids of all keys of the lineage that are not deleted, oldest first; this one included. */
  readonly lineageKeyIds: readonly string[];
}

export interface ApiKeyDetailRow extends ApiKeyRow {
  readonly lineage_key_ids: readonly string[];
}

/** The columns of `api_keys k`, with those of its lineage. */
export const apiKeyDetailColumns = `${apiKeyColumns},
  array(
    select l.key_id from api_keys l where l.brand_id = k.brand_id and l.lineage_id = k.lineage_id order by l.id
  ) as lineage_key_ids`;

export function apiKeyDetailFromRow(row: ApiKeyDetailRow): ApiKeyDetail {
  return { ...apiKeyFromRow(row), lineageKeyIds: row.lineage_key_ids };
}
