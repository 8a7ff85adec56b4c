import type { Page } from '../../../api/pagination.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { sourceTimeSql, statement, withMicrosSql } from '../../../postgres/statement.ts';
import { type Feed, type FeedLineDetail, type LineState, packLines, resultLetters } from '../feed.ts';

interface LineRow extends Omit<FeedLineDetail, 'line'> {
  /** null: the feed has no line here. */
  readonly line: number | null;
  readonly droppedAt: Date | null;
}

const stored = 'l.sku, l.location_code, l.quantity, l.reserved, l.updated_at, l.result';
const columns = `l.sku, l.location_code as "locationCode", l.quantity, l.reserved,
  ${sourceTimeSql('l.updated_at')} as "updatedAt", l.result`;

export interface LinesAt {
  readonly lines: FeedLineDetail[];
  /** When the lines were dropped; null: they are stored. */
  readonly droppedAt: Date | null;
}

export interface Places {
  /** Places in the request, from 0; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** null: all lines. */
  readonly states: readonly LineState[] | null;
}

/**
 * Fewer lines of a reordered feed are picked from their packs, which are decompressed for each: some 40 µs a line. From there
 * on all packs are read once: 0.1 s for 100,000 lines.
 */
const fewLines = 2_000;

/** Reads the lines at some places of the request, in its order; `lines` lacks those in other states. */
export async function readLinesAt(
  database: Queryable,
  { brandId, id, isReordered, receivedLines }: Feed,
  { from, to, states }: Places,
): Promise<LinesAt> {
  const form = !isReordered ? 'in_order' : to - from < fewLines ? 'picked' : 'joined';
  const rows = await database.run(
    statement<LineRow>(
      `list_feed_lines_${form}${states === null ? '' : '_in_states'}`,
      `select l.line, ${columns}, f.lines_dropped_at as "droppedAt"
       from stock_feeds f
       left join lateral (${linesAt[form]}) as l
         on ${states === null ? 'true' : `coalesce(l.result, 'undecided') = any ($5::text[])`}
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

/** The lines of places $3 to $4 of the feed `f`, by the order in which they are stored. */
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
  joined: `select ($3 + o.place - 1)::integer as line, ${stored}
    from unnest(f.report_order[$3 + 1 : $4]) with ordinality as o (number, place)
    join (
      select l.line, ${stored} from stock_feed_lines l where l.brand_id = $1 and l.feed_id = $2
      offset 0
    ) as l on l.line = o.number`,
} as const;

/**
 * Reads all lines of the feed, 100,000 at most. The places of a reordered feed are looked up in an array: a join with
 * `report_order` could be planned as a loop over both.
 */
export async function listLinesInStates(
  database: Queryable,
  { brandId, id }: Feed,
  states: readonly LineState[],
  { size, offset }: Page,
): Promise<FeedLineDetail[]> {
  const rows = await database.run(
    statement<LineRow>(
      'list_feed_lines_by_state',
      `with placed as materialized (
         select array_agg((n.place - 1)::integer order by n.line) as places
         from stock_feeds f cross join lateral unnest(f.report_order) with ordinality as n (line, place)
         where f.brand_id = $1 and f.id = $2
       )
       select coalesce(p.places[l.line + 1], l.line) as line, ${columns}, null as "droppedAt"
       from placed p
       cross join stock_feed_lines l
       where l.brand_id = $1 and l.feed_id = $2 and coalesce(l.result, 'undecided') = any ($3::text[])
       order by 1
       limit $4 offset $5`,
      [brandId, id, states, size, offset],
      { long: true },
    ),
  );
  return rows.flatMap(lineFromRow);
}

function lineFromRow({ line, droppedAt: _, ...others }: LineRow): FeedLineDetail[] {
  return line === null ? [] : [{ line, ...others }];
}
