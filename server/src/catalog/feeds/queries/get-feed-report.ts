import type { Page } from '../../../api/pagination.ts';
import { notFound } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import type { Feed, LineResult, ReportedLine } from '../feed.ts';
import { type FeedRow, feedColumns, feedFromRow } from '../feed-store.ts';

interface LineRow {
  readonly sku: string;
  readonly location_code: string;
  readonly result: LineResult | null;
}

/**
 * A feed of the brand and one page of its lines, in their order. Lines are numbered without gaps, so any page is one
 * range of the primary key.
 * @throws ApiError `not_found`, for a feed of another brand too (contract, endpoint rule 13)
 */
export async function getFeedReport(
  database: Queryable,
  brandId: number,
  tuId: string,
  page: Page,
): Promise<{ feed: Feed; lines: ReportedLine[] }> {
  const feeds = await database.run(
    statement<FeedRow>(
      'find_feed',
      `select ${feedColumns} from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  if (feeds[0] === undefined) throw notFound();
  const feed = feedFromRow(feeds[0]);
  if (page.offset >= feed.receivedLines) return { feed, lines: [] };
  const rows = await database.run(
    statement<LineRow>(
      'list_feed_lines',
      `select sku, location_code, result from stock_feed_lines
       where brand_id = $1 and feed_id = $2 and line >= $3 and line < $4
       order by line`,
      [brandId, feed.id, page.offset, page.offset + page.size],
    ),
  );
  const lines = rows.map(({ sku, location_code, result }) => ({ sku, locationCode: location_code, result }));
  return { feed, lines };
}
