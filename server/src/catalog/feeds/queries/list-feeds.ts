import type { Page } from '../../../api/pagination.ts';
import type { Database } from '../../../postgres/database.ts';
import { readNewestRows } from '../../../postgres/newest-rows.ts';
import type { Feed } from '../feed.ts';
import { type FeedRow, feedColumns, feedFromRow } from '../feed-store.ts';

/** Lists one page of a brand's feeds, the last received first, and counts all. */
export async function listFeeds(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ feeds: Feed[]; total: number }> {
  const newest = { table: 'stock_feeds', columns: feedColumns, brandId, page };
  const { rows, total } = await readNewestRows<FeedRow>(database, newest);
  return { feeds: rows.map(feedFromRow), total };
}
