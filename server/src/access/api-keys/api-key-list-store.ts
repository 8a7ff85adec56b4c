import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { readNewestRows } from '../../postgres/newest-rows.ts';
import type { ApiKey } from './api-key.ts';
import { type ApiKeyRow, apiKeyColumns, apiKeyFromRow } from './api-key-store.ts';

/** Lists one page of a brand's keys, newest first, revoked and expired ones included, and counts all. */
export async function listApiKeys(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ keys: ApiKey[]; total: number }> {
  const newest = { table: 'api_keys', columns: apiKeyColumns, brandId, page };
  const { rows, total } = await readNewestRows<ApiKeyRow>(database, newest);
  return { keys: rows.map(apiKeyFromRow), total };
}
