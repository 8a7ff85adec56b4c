import type { OwnedAccess } from '../../../api/access.ts';
import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { type ApiKey, isKeyId } from '../api-key.ts';
import { apiKeyColumns } from '../api-key-store.ts';

export interface ApiKeyDetail extends ApiKey {
  /** The public ids of all keys of the lineage that are not deleted, oldest first; this one included. */
  readonly lineageKeyIds: readonly string[];
}

/** The columns of `api_keys k`, with those of its lineage. */
export const apiKeyDetailColumns = `${apiKeyColumns},
  array(
    select l.key_id from api_keys l where l.brand_id = k.brand_id and l.lineage_id = k.lineage_id order by l.id
  ) as "lineageKeyIds"`;

/** @throws ApiError `not_found` */
export async function getApiKey(database: Queryable, keyId: string): Promise<ApiKeyDetail> {
  const rows = isKeyId(keyId)
    ? await database.run(
        statement<ApiKeyDetail>(
          'get_api_key',
          `select ${apiKeyDetailColumns} from api_keys k where k.key_id = $1`,
          [keyId],
        ),
      )
    : [];
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

/** Access to operations that name an API key as `:key_id`, by its public id or as a whole. */
export const ownedKey: OwnedAccess = {
  findBrandId: async (database, { key_id: given = '' }) => {
    const [keyId = ''] = given.split('.', 1);
    if (!isKeyId(keyId)) return null;
    const rows = await database.run(
      statement<{ brand_id: number }>(
        'find_brand_of_key',
        'select brand_id from api_keys where key_id = $1',
        [keyId],
      ),
    );
    return rows[0]?.brand_id ?? null;
  },
};
