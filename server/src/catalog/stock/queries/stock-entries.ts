import type { SourceTime } from '../../../lib/source-time.ts';
import type { Queryable } from '../../../postgres/database.ts';
import { sourceTimeSql, statement, withMicrosSql } from '../../../postgres/statement.ts';
import type { RefusedLine, StockEntry } from '../stock-explanation.ts';

/** The level of a SKU at a location; `levelId` 0 if there is none. */
export interface ExplainedPlace {
  readonly brandId: number;
  readonly sku: string;
  readonly location: string;
  readonly levelId: number;
}

interface FeedColumns {
  readonly feedId: string | null;
  readonly batchId: string;
  readonly place: number | null;
  readonly fedAt: SourceTime | null;
}

/**
 * The columns of a feed `f` and its line `l`. In a reordered feed the number of a line is not its place in the request, which
 * is found in the order of the whole feed, at most 100,000 numbers.
 */
const feedColumns = (line: string) => `f.tu_id as "feedId", f.batch_id as "batchId",
  ${sourceTimeSql('l.updated_at')} as "fedAt",
  case when f.lines_dropped_at is null then coalesce(array_position(f.report_order, ${line}) - 1, ${line}) end as place`;

/** Picks a line from its pack; the view `stock_feed_lines` would unpack a thousand lines for each. */
const lineOf = (feed: string, line: string) => `left join lateral (
    select ${withMicrosSql(`p.updated_ats[${line} - p.first_line + 1]`, `coalesce(p.updated_micros[${line} - p.first_line + 1], 0)`)} as updated_at,
      p.quantities[${line} - p.first_line + 1] as quantity
    from stock_feed_packs p
    where p.brand_id = $1 and p.feed_id = ${feed} and p.first_line <= ${line}
    order by p.first_line desc
    limit 1
  ) as l on true`;

/** Lists movements of a level, newest first. One from before lines were recorded names its feed in the note. */
export async function listStockEntries(
  database: Queryable,
  { brandId, levelId }: ExplainedPlace,
  { at, before, limit }: { readonly at: Date | null; readonly before: number | null; readonly limit: number },
): Promise<StockEntry[]> {
  const rows = await database.run(
    statement<Omit<StockEntry, 'feed'> & FeedColumns>(
      'list_stock_entries',
      `select m.id as "movementId", m.created_at as at, m.quantity_before as "quantityBefore",
         m.quantity_after as "quantityAfter", m.reason, m.note, coalesce(m.key_id, f.submitted_by) as "keyId",
         coalesce(m.request_id, f.request_id) as "requestId",
         ${feedColumns('m.feed_line')}
       from (
         select m.* from stock_movements m
         where m.brand_id = $1 and m.level_id = $2 and m.created_at <= $3 and m.id < $4
         order by m.id desc
         limit $5
       ) as m
       left join lateral (
         select f.tu_id, f.batch_id, f.report_order, f.submitted_by, f.request_id, f.lines_dropped_at from stock_feeds f
         where f.brand_id = $1 and f.id = m.feed_id
         union all
         select f.tu_id, f.batch_id, f.report_order, f.submitted_by, f.request_id, f.lines_dropped_at from stock_feeds f
         where m.reason = 'feed' and m.feed_id is null and f.brand_id = $1 and f.tu_id = substring(m.note from 6)
       ) as f on true
       ${lineOf('m.feed_id', 'm.feed_line')}
       order by m.id desc`,
      [brandId, levelId, at ?? 'infinity', before ?? Number.MAX_SAFE_INTEGER, limit],
      { long: true },
    ),
  );
  return rows.map(({ feedId, batchId, place, fedAt, ...entry }) => {
    const feed = feedId === null ? null : { feedId, batchId, line: place, updatedAt: fedAt };
    return { ...entry, feed };
  });
}

/** The place of a refused line in the order of refused lines; not its place in the request. */
export interface RefusedPosition {
  readonly feed: number;
  readonly line: number;
}

/**
 * Lists refused lines, newest first, in the time of a page of entries: from `since` on, and before the movement `before`.
 * Consecutive pages neither overlap nor leave a gap. `next`: the position after which the same page has more; null if it has no
 * more [D182].
 */
export async function listRefusedLines(
  database: Queryable,
  { brandId, sku, location }: ExplainedPlace,
  range: {
    readonly at: Date | null;
    readonly before: number | null;
    readonly since: Date | null;
    readonly refusedBefore: RefusedPosition | null;
    readonly limit: number;
  },
): Promise<{ readonly lines: RefusedLine[]; readonly next: RefusedPosition | null }> {
  const { at, before, since, limit } = range;
  const { feed, line } = range.refusedBefore ?? { feed: Number.MAX_SAFE_INTEGER, line: 0 };
  const rows = await database.run(
    statement<Omit<RefusedLine, 'feed'> & FeedColumns & { readonly position: RefusedPosition }>(
      'list_refused_lines',
      `select json_build_object('feed', r.feed_id, 'line', r.line) as position, r.refused_at as at, r.result, l.quantity,
         f.submitted_by as "keyId", f.request_id as "requestId", ${feedColumns('r.line')}
       from (
         select r.feed_id, r.line, r.result, r.refused_at from refused_feed_lines r
         where r.brand_id = $1 and r.sku = $2 and r.location_code = $3 and r.refused_at <= $4 and r.refused_at >= $5
           and ($6::bigint is null or r.refused_at < (
             select m.created_at from stock_movements m where m.brand_id = $1 and m.id = $6
           ))
           and (r.feed_id, r.line) < ($7::bigint, $8::integer)
         order by r.feed_id desc, r.line desc
         limit $9
       ) as r
       cross join lateral (
         select f.tu_id, f.batch_id, f.report_order, f.submitted_by, f.request_id, f.lines_dropped_at from stock_feeds f
         where f.brand_id = $1 and f.id = r.feed_id
         offset 0
       ) as f
       ${lineOf('r.feed_id', 'r.line')}
       order by r.feed_id desc, r.line desc`,
      [brandId, sku, location, at ?? 'infinity', since ?? '-infinity', before, feed, line, limit + 1],
      { long: true },
    ),
  );
  const lines = rows.slice(0, limit).map(({ position: _, feedId, batchId, place, fedAt, ...refused }) => {
    return { ...refused, feed: { feedId: feedId as string, batchId, line: place, updatedAt: fedAt } };
  });
  return { lines, next: rows.length > limit ? (rows[limit - 1]?.position ?? null) : null };
}
