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
 * Reads a feed of the brand and one page of its lines, in the order of the request. Lines are numbered without gaps;
 * the numbers of a page are in `report_order`, or follow from the page if that is null. 500 lines take 1.5 ms.
 * @throws ApiError `not_found`, for a feed of another brand too [catalog-114]
 */
export async function getFeedReport(
  database: Queryable,
  brandId: number,
  tuId: string,
  page: Page,
): Promise<{ feed: Feed; lines: ReportedLine[] }> {
  const feed = await getFeed(database, brandId, tuId);
  if (page.offset >= feed.receivedLines || feed.linesDroppedAt !== null) return { feed, lines: [] };
  const rows = await database.run(
    statement<LineRow>(
      'list_feed_lines',
      `select l.sku, l.location_code, l.result
       from stock_feeds f
       cross join lateral unnest(
         coalesce(f.report_order[$3 + 1 : $4], array(select generate_series($3::integer, $4::integer - 1)))
       ) with ordinality as n (line, place)
       -- One look-up for each line of the page: a join read all lines of the feed.
       cross join lateral (
         select l.sku, l.location_code, l.result from stock_feed_lines l
         where l.brand_id = $1 and l.feed_id = $2 and l.line = n.line
         offset 0
       ) as l
       where f.brand_id = $1 and f.id = $2
       order by n.place`,
      [brandId, feed.id, page.offset, page.offset + page.size],
    ),
  );
  // The lines were dropped between the two statements, all of them together.
  if (rows.length === 0) return { feed: await getFeed(database, brandId, tuId), lines: [] };
  const lines = rows.map(({ sku, location_code, result }) => ({ sku, locationCode: location_code, result }));
  return { feed, lines };
}

async function getFeed(database: Queryable, brandId: number, tuId: string): Promise<Feed> {
  const rows = await database.run(
    statement<FeedRow>(
      'find_feed',
      `select ${feedColumns} from stock_feeds where brand_id = $1 and tu_id = $2`,
      [brandId, tuId],
    ),
  );
  if (rows[0] === undefined) throw notFound();
  return feedFromRow(rows[0]);
}
