import type { Page } from '../../api/pagination.ts';
import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { FeedToken } from './feed-token.ts';
import { type FeedTokenRow, feedTokenColumns, feedTokenFromRow } from './feed-token-store.ts';

/** One page of a brand's feed tokens, newest first, and how many there are. */
export async function listFeedTokens(
  database: Database,
  brandId: number,
  page: Page,
): Promise<{ tokens: FeedToken[]; total: number }> {
  const [rows, counts] = await Promise.all([
    database.run(
      statement<FeedTokenRow>(
        'list_feed_tokens',
        `select ${feedTokenColumns} from feed_tokens where brand_id = $1 order by id desc limit $2 offset $3`,
        [brandId, page.size, page.offset],
        { long: true },
      ),
    ),
    database.run(
      statement<{ total: number }>(
        'count_feed_tokens',
        'select count(*) as total from feed_tokens where brand_id = $1',
        [brandId],
        { long: true },
      ),
    ),
  ]);
  return { tokens: rows.map(feedTokenFromRow), total: counts[0]?.total ?? 0 };
}
