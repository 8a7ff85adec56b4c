import type { Page } from '../../../api/pagination.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { statement } from '../../../postgres/statement.ts';
import { countLines, type Feed, type FeedLineDetail, type LineResult, type LineState } from '../feed.ts';
import { getFeed } from './get-feed.ts';

interface LineRow {
  /** null: the feed has no line here. */
  readonly line: number | null;
  readonly sku: string;
  readonly location_code: string;
  readonly quantity: number;
  readonly reserved: number | null;
  readonly updated_at: Date;
  readonly result: LineResult | null;
  readonly dropped_at: Date | null;
}

const lineColumns = 'l.sku, l.location_code, l.quantity, l.reserved, l.updated_at, l.result';

export interface FeedLinePage {
  readonly feed: Feed;
  /** In the order of the request. */
  readonly lines: FeedLineDetail[];
  /** The lines of all pages. */
  readonly total: number;
}

/**
 * Reads a feed and one page of its lines, or of those in the given states. Without states the page is looked up by
 * number. With states all lines of the feed are read.
 * @throws ApiError `not_found`
 */
export async function listFeedLines(
  database: Queryable,
  key: { readonly brandId: number; readonly feedId: string },
  states: readonly LineState[] | null,
  page: Page,
): Promise<FeedLinePage> {
  const { feed } = await getFeed(database, key.brandId, key.feedId);
  const total = countLines(feed, states);
  if (page.offset >= total || feed.linesDroppedAt !== null) return { feed, lines: [], total };
  const { brandId, id } = feed;
  const rows =
    states === null
      ? await readPlaces(database, feed, { from: page.offset, to: page.offset + page.size, states })
      : await database.run(
          statement<LineRow>(
            'list_feed_line_details_by_state',
            `with placed as materialized (
               select array_agg((n.place - 1)::integer order by n.line) as places
               from stock_feeds f cross join lateral unnest(f.report_order) with ordinality as n (line, place)
               where f.brand_id = $1 and f.id = $2
             )
             select coalesce(p.places[l.line + 1], l.line) as line, ${lineColumns}, null as dropped_at
             from placed p
             cross join stock_feed_lines l
             where l.brand_id = $1 and l.feed_id = $2 and coalesce(l.result, 'undecided') = any ($3::text[])
             order by 1
             limit $4 offset $5`,
            [brandId, id, states, page.size, page.offset],
            { long: true },
          ),
        );
  return { feed, lines: rows.flatMap(lineFromRow), total };
}

/** The number of lines that one statement reads; bounds the memory of an export. */
const step = 1_000;

/**
 * Yields the lines of a feed in the order of the request, or those in the given states, in small parts. Each part is a
 * statement of its own, so no connection waits for a slow consumer. Lines of a feed that is being applied are as they
 * were when their part was read.
 * @throws ApiError `conflict` if the lines were dropped, also between two parts
 */
export async function* readFeedLines(
  database: Queryable,
  feed: Feed,
  states: readonly LineState[] | null,
): AsyncGenerator<FeedLineDetail[], void> {
  for (let from = 0; from < feed.receivedLines; from += step) {
    const rows = await readPlaces(database, feed, { from, to: from + step, states });
    const droppedAt = rows[0]?.dropped_at ?? null;
    if (droppedAt !== null) throw linesDropped(droppedAt);
    const lines = rows.flatMap(lineFromRow);
    if (lines.length > 0) yield lines;
  }
}

/** The error of an operation that needs lines that retention has dropped [catalog-118]. */
export function linesDropped(at: Date): ApiError {
  return new ApiError('conflict', {
    message: `The lines of the feed were dropped on ${at.toISOString().slice(0, 10)}, because they were older than the server keeps them.`,
  });
}

interface Places {
  /** Places in the request, from 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly states: readonly LineState[] | null;
}

/** Returns at least one row, which may have no line. */
function readPlaces(
  database: Queryable,
  { brandId, id, receivedLines }: Feed,
  { from, to, states }: Places,
): Promise<LineRow[]> {
  return database.run(
    statement<LineRow>(
      `list_feed_line_details${states === null ? '' : '_in_states'}`,
      `select x.line, x.sku, x.location_code, x.quantity, x.reserved, x.updated_at, x.result,
         f.lines_dropped_at as dropped_at
       from stock_feeds f
       left join lateral (
         select ($3 + n.place - 1)::integer as line, ${lineColumns}, n.place
         from unnest(
           coalesce(f.report_order[$3 + 1 : $4], array(select generate_series($3::integer, $4::integer - 1)))
         ) with ordinality as n (line, place)
         -- One look-up for each line of the page: a join read all lines of the feed.
         cross join lateral (
           select ${lineColumns} from stock_feed_lines l
           where l.brand_id = $1 and l.feed_id = $2 and l.line = n.line
           offset 0
         ) as l
         ${states === null ? '' : `where coalesce(l.result, 'undecided') = any ($5::text[])`}
       ) as x on true
       where f.brand_id = $1 and f.id = $2
       order by x.place`,
      [brandId, id, from, Math.min(to, receivedLines), ...(states === null ? [] : [states])],
      { long: true },
    ),
  );
}

function lineFromRow(row: LineRow): FeedLineDetail[] {
  if (row.line === null) return [];
  const { line, sku, location_code, quantity, reserved, updated_at, result } = row;
  return [{ line, sku, locationCode: location_code, quantity, reserved, updatedAt: updated_at, result }];
}
