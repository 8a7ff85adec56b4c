import type { Page } from '../../api/pagination.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { sourceTimeSql, statement, withMicrosSql } from '../../postgres/statement.ts';
import {
  countLines,
  type Feed,
  type FeedLineDetail,
  type FeedProgress,
  type LineChoice,
  type LineResult,
  packLines,
  type ReportedLine,
  refusedResults,
  resultLetters,
} from './feed.ts';
import { getFeedProgress } from './feed-progress-store.ts';
import { getFeed } from './feed-store.ts';

interface LineRow extends Omit<FeedLineDetail, 'line'> {
  /** null: the feed has no line here. */
  readonly line: number | null;
  readonly droppedAt: Date | null;
}

const stored = 'l.sku, l.location_code, l.quantity, l.reserved, l.updated_at, l.result';
const columns = `l.sku, l.location_code as "locationCode", l.quantity, l.reserved,
  ${sourceTimeSql('l.updated_at')} as "updatedAt", l.result`;

interface LinesAt {
  readonly lines: FeedLineDetail[];
  /** When the lines were dropped; null: they are stored. */
  readonly droppedAt: Date | null;
}

interface Positions {
  /** Positions in the request, from 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly choice: LineChoice;
}

/** The condition of a choice on the line `l` of the feed $2 of the brand $1, with the parameter of its states. */
function conditionOf({ states, isLeft }: LineChoice, parameter: string): { code: string; sql: string } {
  const inStates = states === null ? [] : [`coalesce(l.result, 'undecided') = any (${parameter}::text[])`];
  // Of a SKU and location, a feed has one line that was not superseded. Each line is looked up, by the primary key: "offset 0"
  // prevents a join, and "+ 0" the other index, which finds all open lines of the feed.
  const isNamed = states?.includes('undecided') === true;
  const left = `${isNamed ? 'l.result is null or ' : ''}l.result in (${refusedResults}) and exists (
    select from open_feed_lines o
    where o.brand_id = $1 and o.sku = l.sku and o.location_code = l.location_code and o.feed_id + 0 = $2 offset 0
  )`;
  const conditions = [...inStates, ...(isLeft ? [`(${left})`] : [])];
  return {
    code: `${states === null ? '' : '_in_states'}${isLeft ? '_left' : ''}${isLeft && isNamed ? '_or_undecided' : ''}`,
    sql: conditions.length === 0 ? 'true' : conditions.join(' and '),
  };
}

/**
 * Fewer lines of a reordered feed are picked from their packs, which are decompressed for each: some 40 µs a line. From there
 * on all packs are read once: 0.1 s for 100,000 lines.
 */
const fewLines = 2_000;

/** Reads the lines at some positions of the request, in its order; `lines` lacks those in other states. */
async function readLinesAt(
  database: Queryable,
  { brandId, id, isReordered, receivedLines }: Feed,
  { from, to, choice }: Positions,
): Promise<LinesAt> {
  const form = !isReordered ? 'in_order' : to - from < fewLines ? 'picked' : 'joined';
  const { states } = choice;
  const { code, sql } = conditionOf(choice, '$5');
  const rows = await database.run(
    statement<LineRow>(
      `list_feed_lines_${form}${code}`,
      `select l.line, ${columns}, f.lines_dropped_at as "droppedAt"
       from stock_feeds f
       left join lateral (${linesAt[form]}) as l on ${sql}
       where f.brand_id = $1 and f.id = $2
       order by l.line`,
      [brandId, id, from, Math.min(to, receivedLines), ...(states === null ? [] : [states])],
      { long: true },
    ),
  );
  return { lines: rows.flatMap(lineFromRow), droppedAt: rows[0]?.droppedAt ?? null };
}

const resultOfLetter = `case substr(p.results, n.i, 1)
  ${Object.entries(resultLetters)
    .map(([result, letter]) => `when '${letter}' then '${result}'`)
    .join(' ')} end`;

/** The lines of positions $3 to $4 of the feed `f`, by the order in which they are stored. */
const linesAt = {
  in_order: `select l.line, ${stored} from stock_feed_lines l
    where l.brand_id = $1 and l.feed_id = $2 and l.first_line > $3 - ${packLines} and l.first_line < $4
      and l.line >= $3 and l.line < $4`,
  picked: `select n.line, p.skus[n.i] as sku, p.location_codes[n.i] as location_code, p.quantities[n.i] as quantity,
      p.reserved[n.i] as reserved, ${withMicrosSql('p.updated_ats[n.i]', 'coalesce(p.updated_micros[n.i], 0)')} as updated_at,
      ${resultOfLetter} as result
    from (
      select ($3 + o.place - 1)::integer as line, o.number - o.number % ${packLines} as first_line,
        o.number % ${packLines} + 1 as i
      from unnest(f.report_order[$3 + 1 : $4]) with ordinality as o (number, place)
    ) as n
    join stock_feed_packs p on p.brand_id = $1 and p.feed_id = $2 and p.first_line = n.first_line
    where p.skus[n.i] is not null`,
  joined: `with placed as materialized (
      select array_agg((o.place - 1)::integer order by o.number) as places
      from unnest(f.report_order) with ordinality as o (number, place)
    )
    select p.places[l.line + 1] as line, ${stored} from placed p cross join stock_feed_lines l
    where l.brand_id = $1 and l.feed_id = $2 and p.places[l.line + 1] >= $3 and p.places[l.line + 1] < $4`,
} as const;

/**
 * Reads all lines of the feed, 100,000 at most. The positions of a reordered feed are looked up in an array: a join with
 * `report_order` could be planned as a loop over both.
 */
async function listChosenLines(
  database: Queryable,
  { brandId, id }: Feed,
  choice: LineChoice,
  { size, offset }: Page,
): Promise<FeedLineDetail[]> {
  const { code, sql } = conditionOf(choice, '$5');
  const rows = await database.run(
    statement<LineRow>(
      `list_feed_lines_by_state${code}`,
      `with placed as materialized (
         select array_agg((n.place - 1)::integer order by n.line) as places
         from stock_feeds f cross join lateral unnest(f.report_order) with ordinality as n (line, place)
         where f.brand_id = $1 and f.id = $2
       )
       select coalesce(p.places[l.line + 1], l.line) as line, ${columns}, null as "droppedAt"
       from placed p
       cross join stock_feed_lines l
       where l.brand_id = $1 and l.feed_id = $2 and ${sql}
       order by 1
       limit $3 offset $4`,
      [brandId, id, size, offset, ...(choice.states === null ? [] : [choice.states])],
      { long: true },
    ),
  );
  return rows.flatMap(lineFromRow);
}

async function countLeftLines(
  database: Queryable,
  { brandId, id }: Feed,
  { states }: LineChoice,
): Promise<number> {
  const { code, sql } = conditionOf({ states, isLeft: true }, '$3');
  const rows = await database.run(
    statement<{ lines: number }>(
      `count_feed_lines${code}`,
      `select count(*) as lines from stock_feed_lines l where l.brand_id = $1 and l.feed_id = $2 and ${sql}`,
      [brandId, id, ...(states === null ? [] : [states])],
      { long: true },
    ),
  );
  return rows[0]?.lines ?? 0;
}

function lineFromRow({ line, droppedAt: _, ...others }: LineRow): FeedLineDetail[] {
  return line === null ? [] : [{ line, ...others }];
}

interface FeedLinePage {
  readonly feed: FeedProgress;
  /** In the order of the request. */
  readonly lines: FeedLineDetail[];
  readonly total: number;
}

/** Attempts to read an unfinished feed and its lines between two chunks. */
const attempts = 3;

/**
 * Reads a feed and one page of its lines at one moment: again if a chunk was applied in between. For a choice all lines of the
 * feed are read.
 * @throws ApiError `not_found`
 */
export async function listFeedLines(
  database: Queryable,
  key: { readonly brandId: number; readonly feedId: string },
  choice: LineChoice,
  page: Page,
): Promise<FeedLinePage> {
  const read = () => getFeedProgress(database, key.brandId, key.feedId);
  let feed = await read();
  for (let attempt = 1; ; attempt += 1) {
    const total = await countChosenLines(database, feed, choice);
    const isEmpty = page.offset >= total || feed.linesDroppedAt !== null;
    const lines = isEmpty ? [] : await readPage(database, feed, choice, page);
    if (isEmpty || feed.finishedAt !== null || attempt === attempts) return { feed, lines, total };
    const after = await read();
    if (after.nextLine === feed.nextLine && after.status === feed.status) return { feed, lines, total };
    feed = after;
  }
}

function countChosenLines(
  database: Queryable,
  feed: FeedProgress,
  choice: LineChoice,
): number | Promise<number> {
  if (!choice.isLeft) return countLines(feed, choice.states);
  const isNone = feed.failedLinesLeft === 0 && choice.states?.includes('undecided') !== true;
  return isNone ? 0 : countLeftLines(database, feed, choice);
}

/** Returns no lines if they were dropped meanwhile. */
async function readPage(
  database: Queryable,
  feed: Feed,
  choice: LineChoice,
  page: Page,
): Promise<FeedLineDetail[]> {
  if (choice.states !== null || choice.isLeft) return listChosenLines(database, feed, choice, page);
  const { offset, size } = page;
  return (await readLinesAt(database, feed, { from: offset, to: offset + size, choice })).lines;
}

/** The packs whose lines one statement reads of a reordered feed, where each statement reads all packs. */
const packsAtOnce = 10;

/**
 * Yields lines in the order of the request, up to a thousand at a time. A statement reads 1,000 lines, or 10,000 of a reordered
 * feed: memory is bounded and no connection waits for a slow consumer.
 * @throws ApiError `conflict` if the lines were dropped, also between two statements
 */
export async function* readFeedLines(
  database: Queryable,
  feed: Feed,
  choice: LineChoice,
): AsyncGenerator<FeedLineDetail[], void> {
  const step = feed.isReordered ? packsAtOnce * packLines : packLines;
  for (let from = 0; from < feed.receivedLines; from += step) {
    const { lines, droppedAt } = await readLinesAt(database, feed, { from, to: from + step, choice });
    if (droppedAt !== null) throw linesDropped(droppedAt);
    for (let first = 0; first < lines.length; first += packLines) yield lines.slice(first, first + packLines);
  }
}

/** The error of an operation that needs lines that retention has dropped [catalog-118]. */
export function linesDropped(at: Date): ApiError {
  return new ApiError('conflict', {
    message: `The lines of the feed were dropped on ${at.toISOString().slice(0, 10)}, because they were older than the server keeps them.`,
  });
}

interface ReportPage {
  readonly page: Page;
  /** Only lines with these results; null: all lines. */
  readonly results: readonly LineResult[] | null;
  /** The version of the report that the caller has; null if it has none. */
  readonly known: string | null;
}

interface FeedReport {
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
  const lines = await readPage(database, feed, { states: results, isLeft: false }, page);
  // Dropped between the two statements.
  if (lines.length === 0) return { ...(await getFeed(database, brandId, tuId)), lines: [], total };
  return { feed, version, lines, total };
}
