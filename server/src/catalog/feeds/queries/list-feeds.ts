import type { Page } from '../../../api/pagination.ts';
import type { Database } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Feed } from '../feed.ts';
import { type FeedRow, feedColumns, feedFromRow } from '../feed-store.ts';

/** Returns one page of a brand's feeds, the last received first, and their number. */
export async function listFeeds(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ feeds: Feed[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<FeedRow>(
        'list_feeds',
        `select ${feedColumns} from stock_feeds where brand_id = $1 order by id desc limit $2 offset $3`,
        [brandId, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_feeds',
        'select count(*) as total from stock_feeds where brand_id = $1',
        [brandId],
        { long: true },
      ),
    ),
  ]);
  return { feeds: rows.map(feedFromRow), total: counts[0]?.total ?? 0 };
}
