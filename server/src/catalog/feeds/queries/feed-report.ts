import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { countLines, type Feed, type LineResult, type ReportedLine } from '../feed.ts';
import { readPage } from './feed-lines.ts';
import { getFeed } from './get-feed.ts';

export interface ReportPage {
  readonly page: Page;
  /** Only lines with these results; null: all lines. */
  readonly results: readonly LineResult[] | null;
  /** The version of the report that the caller has; null if it has none. */
  readonly known: string | null;
}

export interface FeedReport {
  readonly feed: Feed;
  readonly lines: ReportedLine[];
  readonly total: number;
  /** The feed's version before the lines were read. */
  readonly version: string;
}

/**
 * Returns null if the feed's version is `known`. If lines were dropped, all of them were [catalog-118].
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
  const lines = await readPage(database, feed, results, page);
  // Dropped between the two statements.
  if (lines.length === 0) return { ...(await getFeed(database, brandId, tuId)), lines: [], total };
  return { feed, version, lines, total };
}
