import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { stockKernel } from '../stock/stock-kernel-store.ts';
import type { ResultCounts } from './feed.ts';
import { packLines, resultLetters } from './feed-pack.ts';
import type { FeedInWork } from './feed-work-store.ts';

/**
 * The number of lines that are decided and written in one transaction. Chunks of 2,000 are no faster; they only hold
 * their locks longer.
 */
export const chunkLines = 1_000;

export interface DecidedLines {
  readonly counts: ResultCounts;
  /** The products of lines without a result, because another transaction wrote to the product before it was locked. */
  readonly movedProductIds: readonly number[];
  /**
   * Those of them without a row of `product_stock`, which therefore could not be locked (`makeMissingProductStock`).
   */
  readonly productIdsWithoutStock: readonly number[];
  /** The products whose rollup still needs a refresh: see `stockKernel`. */
  readonly unsettledProductIds: readonly number[];
}

interface Row {
  readonly counts: ResultCounts | null;
  readonly moved: number[];
  readonly without_stock: number[];
  readonly unsettled: number[];
}

/**
 * Makes the rest of the transaction find rows by index or by place. Levels and rollups are written by their places in the
 * table; otherwise the planner would scan a table of tens of thousands of rows for each chunk, since it estimates the same
 * cost for that as for a thousand places, and no form of the UPDATE prevents it.
 */
export function avoidScans(tx: Transaction): void {
  tx.queue(statement<never>('avoid_scans', 'set local enable_seqscan = off', []));
}

/**
 * Decides the lines of the feed's next chunk that have no result, and writes their stock (`stockKernel`) and their
 * results, in one statement. The order of the results is that of [catalog-104]; `superseded` was decided when the feed
 * was received. Lines of `movedProductIds` are left for a second call with these ids, which decides only lines of those
 * products. They are then locked, so that no product is locked out of order.
 */
export async function writeFeedLines(
  tx: Transaction,
  { brandId, id, tuId, nextLine }: FeedInWork,
  lockedProductIds: readonly number[] | null,
): Promise<DecidedLines> {
  const values = [brandId, id, nextLine, `feed:${tuId}`, lockedProductIds, resultLetters];
  const rows = await tx.run(statement<Row>('write_feed_lines', writeLines, values));
  const row = rows[0] as Row;
  return {
    counts: row.counts ?? {},
    movedProductIds: row.moved,
    productIdsWithoutStock: row.without_stock,
    unsettledProductIds: row.unsettled,
  };
}

/**
 * The condition for the level `e` that a line `c` names, by the copies of SKU and code that levels store: one look-up
 * in `stock_levels_in_order` instead of those of the product, the variant, the location and the place. Matches nothing
 * if there is no such level, or the SKU is a deleted variant's.
 */
const isLevelOfLine =
  'e.brand_id = $1 and e.sku = c.sku and e.location_code = c.location_code and not e.is_hidden';

const writeLines = `with found as materialized (
    select c.line as n, $1::integer as brand_id, c.sku, c.location_code, c.quantity, c.reserved,
      null::integer as expected_quantity, c.updated_at as fed_at, $4::text as note, null::text as key_id,
      null::text as request_id, $2::bigint as feed_id, c.line as feed_line,
      i.product_id, coalesce(l.variant_id, v.id) as variant_id, o.id as location_id,
      o.is_active as location_counts, v.is_active as variant_counts, o.version as location_version,
      s.place as stock_place, s.version as stock_version, l.place as level_place, l.id as level_id, l.quantity as level_quantity,
      l.reserved as level_reserved, l.source_updated_at as level_at, l.is_from_feed as level_from_feed,
      case
        when i.product_id is null then 'unknown_sku'
        when i.has_variants then 'not_stockable'
        when o.id is null then 'unknown_location'
        when i.product_id <> all ($5::bigint[]) then 'moved'
      end as problem
    from (
      select l.line, l.sku, l.location_code, l.quantity, l.reserved, l.updated_at
      from stock_feed_lines l
      where l.brand_id = $1 and l.feed_id = $2 and l.first_line > $3 - ${packLines} and l.first_line < $3 + ${chunkLines}
        and l.line >= $3 and l.line < $3 + ${chunkLines} and l.result is null
      order by l.line
    ) c
    left join lateral (
      select e.ctid as place, e.id, e.product_id, e.variant_id, e.quantity, e.reserved, e.source_updated_at, e.is_from_feed
      from stock_levels e where ${isLevelOfLine}
      limit 1
    ) as l on true
    -- Skipped if there is a level. "offset 0" keeps the condition out of the join, which would run first.
    left join lateral (
      select p.id, p.has_variants from products p
      where p.brand_id = $1 and p.sku = c.sku and l.id is null
      offset 0
    ) as p on true
    left join lateral (
      select v.id, v.product_id, v.is_active from variants v
      where v.brand_id = $1 and v.id = l.variant_id
      union all
      -- "offset 0" keeps the condition on deleted_at out of the look-up: on a table without statistics it makes a partial
      -- index of the whole brand look cheaper than that of the SKU.
      select v.id, v.product_id, v.is_active from (
        select v.id, v.product_id, v.is_active, v.deleted_at from variants v
        where v.brand_id = $1 and v.sku = c.sku and l.id is null
        offset 0
      ) v where v.deleted_at is null
    ) as v on true
    cross join lateral (
      select coalesce(l.product_id, p.id, v.product_id) as product_id,
        case
          when l.id is null then p.has_variants
          -- Equals has_variants, but the index answers it without the row of the product.
          when l.variant_id is null then (
            select true from variants x
            where x.brand_id = $1 and x.product_id = l.product_id and x.deleted_at is null
            limit 1
          )
        end as has_variants
      offset 0
    ) as i
    left join lateral (
      select o.id, o.is_active, o.xmin as version from stock_locations o
      where o.brand_id = $1 and o.external_code = c.location_code
      offset 0
    ) as o on true
    left join lateral (
      select s.ctid as place, s.xmin as version from product_stock s where s.brand_id = $1 and s.product_id = i.product_id
      offset 0
    ) as s on true
  ), ${stockKernel('distinct')},
  results as materialized (
    select d.n, d.outcome as result from decided d
    union all
    select f.n, f.problem from found f where f.problem <> 'moved'
  ),
  by_line as materialized (
    select jsonb_object_agg(r.n, $6::jsonb ->> r.result) as letters from results r
  ),
  refused as (
    insert into refused_feed_lines (brand_id, sku, location_code, feed_id, line, result, refused_at)
    select $1, d.sku, d.location_code, $2, d.n, d.outcome, now_ms() from decided d where d.outcome = 'stale'
  ),
  marked as (
    update stock_feed_packs p
    set results = (
      select string_agg(coalesce(r.letters ->> (p.first_line + x.n - 1)::text, x.letter), '' order by x.n)
      from string_to_table(p.results, null) with ordinality as x (letter, n)
    )
    from by_line r
    where p.brand_id = $1 and p.feed_id = $2 and p.first_line > $3 - ${packLines} and p.first_line < $3 + ${chunkLines}
      and r.letters is not null
  ),
  moved_lines as materialized (
    select f.product_id, f.stock_place is null as is_without from found f
    where coalesce(f.problem, 'moved') = 'moved' and f.n not in (select d.n from decided d)
  )
  select
    (select json_object_agg(r.result, r.lines) from (
      select r.result, count(*) as lines from results r group by r.result
    ) r) as counts,
    (select coalesce(json_agg(distinct m.product_id), '[]') from moved_lines m) as moved,
    (select coalesce(json_agg(distinct m.product_id), '[]') from moved_lines m where m.is_without) as without_stock,
    (select coalesce(json_agg(distinct d.product_id), '[]') from decided d where d.is_unsettled) as unsettled`;
