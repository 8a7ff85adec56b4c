import { notFound } from '../../errors/api-error.ts';
import type { SourceTime } from '../../lib/source-time.ts';
import type { Queryable } from '../../postgres/database.ts';
import { sourceTimeSql, statement, withMicrosSql } from '../../postgres/statement.ts';
import type { StockLevel } from './stock-level.ts';
import { levelTimeSql } from './stock-level-store.ts';

export interface StockExplanation {
  /** The current level; null if there is none. */
  readonly level: StockLevel | null;
  /** The quantity at the instant asked for; 0 before the first movement. */
  readonly quantityAt: number;
  /** The time of the level's first movement; null without movements. */
  readonly firstAt: Date | null;
  /** The time of the first movement after the instant; null if there is none. */
  readonly nextAt: Date | null;
  readonly entries: readonly StockEntry[];
  readonly refused: readonly RefusedLine[];
  /** The position after which the page has more refused lines; null if it has no more. */
  readonly refusedNext: { readonly feed: number; readonly line: number } | null;
}

export interface StockEntry extends Origin {
  readonly movementId: number;
  readonly at: Date;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly reason: 'manual' | 'feed';
  readonly note: string;
  /** null for an adjustment. */
  readonly feed: FeedLineOrigin | null;
}

/** A line that named the level and was not applied, because a newer quantity was known. */
export interface RefusedLine extends Origin {
  readonly at: Date;
  readonly result: 'stale' | 'superseded';
  /** null if the line was dropped after the retention period. */
  readonly quantity: number | null;
  readonly feed: FeedLineOrigin;
}

/** The key and the request of a change; null for changes from before they were recorded, or by the server itself. */
interface Origin {
  readonly keyId: string | null;
  readonly requestId: string | null;
}

/** The line of a feed behind an entry. */
export interface FeedLineOrigin {
  readonly feedId: string;
  readonly batchId: string;
  /** The place of the line in the request, from 0; null if it is not recorded or was dropped. */
  readonly line: number | null;
  /** The line's `updated_at`; null if it is not recorded or was dropped after the retention period. */
  readonly updatedAt: SourceTime | null;
}

interface ExplanationQuery {
  readonly brandId: number;
  readonly sku: string;
  readonly location: string;
  /** The instant of the level to explain; null for the current level. */
  readonly at: Date | null;
  /** Continues before this movement; null: begins with the newest. */
  readonly before: number | null;
  /** Continues the refused lines of the page after this one; null: begins with the newest. */
  readonly refusedBefore: RefusedPosition | null;
  /** The largest number of entries, and of refused lines. */
  readonly limit: number;
}

/** The position of a refused line in the order of refused lines; not in the request. */
interface RefusedPosition {
  readonly feed: number;
  readonly line: number;
}

/**
 * Four statements, each an index range. A SKU names its current product or variant, not one that had it before.
 * @throws ApiError `not_found` if the brand has no such SKU or location
 */
export async function explainStock(database: Queryable, query: ExplanationQuery): Promise<StockExplanation> {
  const { brandId, sku, location, at, limit } = query;
  const { isSku, isLocation, levelId, level } = await findLevel(database, query);
  if (!isSku || !isLocation) throw notFound();
  const explained = { brandId, sku, location, levelId };
  const [chain, entries] = await Promise.all([
    findInstant(database, explained, at),
    listStockEntries(database, explained, query),
  ]);
  const oldest = entries.length < limit ? null : (entries.at(-1)?.at ?? null);
  const refused = await listRefusedLines(database, explained, { ...query, since: oldest });
  return {
    level,
    quantityAt: (at === null ? level : chain)?.quantity ?? 0,
    firstAt: chain?.firstAt ?? null,
    nextAt: chain?.nextAt ?? null,
    entries,
    refused: refused.lines,
    refusedNext: refused.next,
  };
}

interface FoundLevel {
  readonly isSku: boolean;
  readonly isLocation: boolean;
  readonly levelId: number | null;
  readonly level: StockLevel | null;
}

async function findLevel(
  database: Queryable,
  { brandId, sku, location }: ExplanationQuery,
): Promise<FoundLevel> {
  const rows = await database.run(
    statement<StockLevel & FoundLevel>(
      'find_level_to_explain',
      `select exists (select from sku_claims c where c.brand_id = $1 and c.sku = $2) as "isSku",
         exists (select from stock_locations o where o.brand_id = $1 and o.external_code = $3) as "isLocation",
         l.*
       from (select) as one
       left join lateral (
         select l.id as "levelId", p.tu_id as "productTuId", v.tu_id as "variantTuId", l.quantity, l.reserved,
           ${sourceTimeSql(levelTimeSql)} as "sourceUpdatedAt", l.updated_at as "updatedAt"
         from stock_levels l
         join products p on p.brand_id = l.brand_id and p.id = l.product_id
         left join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
         where l.brand_id = $1 and l.sku = $2 and l.location_code = $3 and not l.is_hidden
         limit 1
       ) as l on true`,
      [brandId, sku, location],
    ),
  );
  const { isSku, isLocation, levelId, ...level } = rows[0] as (typeof rows)[0];
  return { isSku, isLocation, levelId, level: levelId === null ? null : { ...level, sku, location } };
}

interface InstantRow {
  readonly quantity: number;
  readonly firstAt: Date;
  readonly nextAt: Date | null;
}

/**
 * Finds the quantity at an instant, and the times of the level's first movement and of the one after the instant; null without
 * movements. The quantity before the first movement is its `quantity_before`.
 */
async function findInstant(
  database: Queryable,
  { brandId, levelId }: ExplainedLevel,
  at: Date | null,
): Promise<InstantRow | null> {
  const rows = await database.run(
    statement<InstantRow>(
      'find_instant_of_level',
      `select coalesce(last.quantity_after, first.quantity_before) as quantity, first.created_at as "firstAt",
         (
           select m.created_at from stock_movements m
           where m.brand_id = $1 and m.level_id = $2 and m.id > coalesce(last.id, 0)
           order by m.id limit 1
         ) as "nextAt"
       from (
         select m.quantity_before, m.created_at from stock_movements m
         where m.brand_id = $1 and m.level_id = $2
         order by m.id limit 1
       ) as first
       left join lateral (
         select m.id, m.quantity_after from stock_movements m
         where m.brand_id = $1 and m.level_id = $2 and m.created_at <= $3
         order by m.id desc limit 1
       ) as last on true`,
      [brandId, levelId, at ?? 'infinity'],
      { long: true },
    ),
  );
  return rows[0] ?? null;
}

/** The level of a SKU at a location. */
interface ExplainedLevel {
  readonly brandId: number;
  readonly sku: string;
  readonly location: string;
  /** null: there is none, and so no movement of it. */
  readonly levelId: number | null;
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
async function listStockEntries(
  database: Queryable,
  { brandId, levelId }: ExplainedLevel,
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

/**
 * Lists refused lines, newest first, in the time of a page of entries: from `since` on, and before the movement `before`.
 * Consecutive pages neither overlap nor leave a gap. `next`: the position after which the same page has more; null if it has no
 * more [D120].
 */
async function listRefusedLines(
  database: Queryable,
  { brandId, sku, location }: ExplainedLevel,
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
