import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { readNewestRows } from '../../postgres/newest-rows.ts';
import type { FeedToken } from './feed-token.ts';
import { type FeedTokenRow, feedTokenColumns, feedTokenFromRow } from './feed-token-store.ts';

/** Lists one page of a brand's feed tokens, newest first, and counts all. */
export async function listFeedTokens(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ tokens: FeedToken[]; total: number }> {
  const newest = { table: 'feed_tokens', columns: feedTokenColumns, brandId, page };
  const { rows, total } = await readNewestRows<FeedTokenRow>(database, newest);
  return { tokens: rows.map(feedTokenFromRow), total };
}
