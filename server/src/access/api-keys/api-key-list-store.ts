import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { ApiKey } from './api-key.ts';
import { type ApiKeyRow, apiKeyColumns, apiKeyFromRow } from './api-key-store.ts';

/** One page of a brand's keys, newest first, revoked and expired ones included, and how many there are. */
export async function listApiKeys(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ keys: ApiKey[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<ApiKeyRow>(
        'list_api_keys',
        `select ${apiKeyColumns} from api_keys where brand_id = $1 order by id desc limit $2 offset $3`,
        [brandId, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_api_keys',
        'select count(*) as total from api_keys where brand_id = $1',
        [brandId],
        { long: true },
      ),
    ),
  ]);
  return { keys: rows.map(apiKeyFromRow), total: counts[0]?.total ?? 0 };
}
