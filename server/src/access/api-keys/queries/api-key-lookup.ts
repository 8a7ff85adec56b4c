import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { isKeyId } from '../api-key.ts';
import {
  type ApiKeyDetail,
  type ApiKeyDetailRow,
  apiKeyDetailColumns,
  apiKeyDetailFromRow,
} from './api-key-detail.ts';

/**
 * Reads a key by its public id.
 * @throws ApiError `not_found`
 */
export async function getApiKey(database: Queryable, keyId: string): Promise<ApiKeyDetail> {
  const rows = isKeyId(keyId)
    ? await database.run(
        statement<ApiKeyDetailRow>(
          'get_api_key',
          `select ${apiKeyDetailColumns} from api_keys k where k.key_id = $1`,
          [keyId],
        ),
      )
    : [];
  if (rows[0] === undefined) throw notFound();
  return apiKeyDetailFromRow(rows[0]);
}
