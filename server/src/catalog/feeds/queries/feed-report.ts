import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { type Statement, statement } from '../../../postgres/statement.ts';
import { countLines, type Feed, type LineResult, type ReportedLine } from '../feed.ts';
import { getFeed } from './get-feed.ts';

interface LineRow {
  readonly line: number;
  readonly sku: string;
  readonly location_code: string;
  readonly result: LineResult | null;
}

export interface ReportPage {
  readonly page: Page;
  /** Only lines with these results; null: all lines. */
  readonly results: readonly LineResult[] | null;
  /** The version of the report that the caller has; null if it has none. */
  readonly known: string | null;
}

export interface FeedReport {
  readonly feed: Feed;
  /** The lines of the page, in the order of the request. */
  readonly lines: ReportedLine[];
  /** The lines of all pages. */
  readonly total: number;
  /** The feed's version before the lines were read. */
  readonly version: string;
}

/**
 * Reads a feed of the brand and one page of its lines; null if the feed's version is `known`. If lines were dropped, all of
 * them were [catalog-118].
 * @throws ApiError `not_found`, for a feed of another brand too [catalog-114]
 */
export async function getFeedReportUnless(
  database: Queryable,
  brandId: number,
  tuId: string,
  { page, results, known }: ReportPage,
): Promise<FeedReport | null> {
  const { feed, version } = await getFeed(database, brandId, tuId);
  if (version === known) return null;
  const total = countLines(feed, results);
  if (page.offset >= total || feed.linesDroppedAt !== null) return { feed, version, lines: [], total };
  const rows = await database.run(
    results === null ? selectPage(feed, page) : selectFilteredPage(feed, page, results),
  );
  // Dropped between the two statements.
  if (rows.length === 0) return { ...(await getFeed(database, brandId, tuId)), lines: [], total };
  const lines = rows.map(({ line, sku, location_code, result }) => ({
    line,
    sku,
    locationCode: location_code,
    result,
  }));
  return { feed, version, lines, total };
}

/**
 * Lines are numbered without gaps; the numbers of a page are in `report_order`, or follow from the page if that is null.
 * 500 lines take 1.5 ms.
 */
function selectPage({ brandId, id }: Feed, { offset, size }: Page): Statement<LineRow> {
  return statement<LineRow>(
    'list_feed_lines',
    `select ($3 + n.place - 1)::integer as line, l.sku, l.location_code, l.result
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
    [brandId, id, offset, offset + size],
  );
}

/**
 * Reads all lines of the feed, 100,000 at most. The places of a reordered feed are looked up in an array: a join with
 * `report_order` could be planned as a loop over both.
 */
function selectFilteredPage(
  { brandId, id }: Feed,
  { offset, size }: Page,
  results: readonly LineResult[],
): Statement<LineRow> {
  return statement<LineRow>(
    'list_feed_lines_by_result',
    `with placed as materialized (
       select array_agg((n.place - 1)::integer order by n.line) as places
       from stock_feeds f cross join lateral unnest(f.report_order) with ordinality as n (line, place)
       where f.brand_id = $1 and f.id = $2
     )
     select coalesce(p.places[l.line + 1], l.line) as line, l.sku, l.location_code, l.result
     from placed p
     cross join stock_feed_lines l
     where l.brand_id = $1 and l.feed_id = $2 and l.result = any ($3::text[])
     order by 1
     limit $4 offset $5`,
    [brandId, id, results, size, offset],
    { long: true },
  );
}
