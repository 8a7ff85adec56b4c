import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { LineResult, ResultCounts } from './feed.ts';
import type { FeedInWork } from './feed-work-store.ts';

/** Lines that are decided and written in one transaction. */
export const chunkLines = 1_000;

// The lines of the chunk that are not decided yet, and rows of nulls for the others. The series is there for the
// planner: of the lines it expects a single one, and would go on to join a thousand with a thousand row by row.
const chunk = `chunk as materialized (
  select l.ctid as place, l.line, l.sku, l.location_code, l.quantity, l.reserved, l.updated_at
  from generate_series($3::integer, $3 + ${chunkLines - 1}) as n
  left join stock_feed_lines l on l.brand_id = $1 and l.feed_id = $2 and l.line = n
    and l.line >= $3 and l.line < $3 + ${chunkLines} and l.result is null
)`;

/**
 * Keeps the locations that the chunk's lines name as they are until the transaction ends (as `keepLocations`), and
 * answers their ids. Comes before the locks on products.
 */
export async function keepChunkLocations(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
): Promise<ReadonlySet<number>> {
  const rows = await tx.run(
    statement<{ id: number }>(
      'keep_feed_chunk_locations',
      `select o.id from stock_locations o
       where o.brand_id = $1 and o.external_code in (with ${chunk} select c.location_code from chunk c)
       order by o.id
       for key share of o`,
      [brandId, id, nextLine],
    ),
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Locks the stock of the products that the chunk's lines name, in the order of their ids (as `lockProductStock`), and
 * answers the ids.
 */
export async function lockChunkProducts(
  tx: Transaction,
  { brandId, id, nextLine }: FeedInWork,
): Promise<ReadonlySet<number>> {
  const rows = await tx.run(
    statement<{ product_id: number }>(
      'lock_feed_chunk_products',
      `select s.product_id from product_stock s
       where s.brand_id = $1 and s.product_id in (
         with ${chunk}
         select p.id from chunk c join products p on p.brand_id = $1 and p.sku = c.sku
         union all
         select v.product_id from chunk c join variants v on v.brand_id = $1 and v.sku = c.sku
       )
       order by s.product_id
       for update of s`,
      [brandId, id, nextLine],
    ),
  );
  return new Set(rows.map((row) => row.product_id));
}

export interface DecidedChunk {
  readonly counts: ResultCounts;
  /** Whose stock was written, and where. */
  readonly productIds: readonly number[];
  readonly locationIds: readonly number[];
  /** Those products whose rollup has yet to be worked out anew (`refreshProductStock`). */
  readonly unsettledProductIds: readonly number[];
}

interface DecidedRow {
  readonly result: LineResult;
  readonly lines: number;
  readonly product_ids: number[] | null;
  readonly location_ids: number[] | null;
  readonly unsettled_product_ids: number[] | null;
}

/**
 * Decides every undecided line of the chunk and writes what follows: levels, movements, rollups and the lines' results.
 * One statement, whatever the lines are. The caller has locked the locations and the stock of the products
 * (`keepChunkLocations`, `lockChunkProducts`) in statements before this one, so what this one sees of levels, variants,
 * SKUs and `is_active` stays as it is. The order of the
 * questions is the one of decision, Small print 9 (`superseded` was answered when the feed was received).
 *
 * The rollup is moved by the difference instead of being worked out anew: with parents of 25 variants at two locations
 * the refresh alone took twice as long as all of the rest. What a difference cannot tell is a level that was last
 * written by hand and now comes from a feed, since the one that kept its product from growing stale may be gone:
 * those products are answered as unsettled.
 *
 * Measured with 1,000,000 levels (260,000 products, 250,000 variants) and lines spread at random over all of them: 1,000
 * lines keep a core of the database busy for 90 ms, 70 ms where shared_buffers hold the tables (11,000 and 14,000 lines a
 * second and core). Of that the locks take a fifth, the look-ups a quarter, the movements with their three indexes
 * another, and the rest is levels, rollups, results and foreign keys, in this order. Every look-up is an index scan of
 * one row. Chunks of 2,000 are no faster; they only hold their locks longer.
 */
export async function applyChunk(
  tx: Transaction,
  { brandId, id, tuId, nextLine }: FeedInWork,
): Promise<DecidedChunk> {
  const rows = await tx.run(
    statement<DecidedRow>(
      'apply_feed_chunk',
      `with ${chunk},
       found as (
         select c.place, c.sku, c.location_code, c.quantity, c.reserved, c.updated_at,
           p.has_variants, v.id as variant_id, coalesce(p.id, v.product_id) as product_id, o.id as location_id,
           o.is_active as counts, v.is_active as variant_counts
         from chunk c
         left join products p on p.brand_id = $1 and p.sku = c.sku
         left join variants v on v.brand_id = $1 and v.sku = c.sku and v.deleted_at is null
         left join stock_locations o on o.brand_id = $1 and o.external_code = c.location_code
         where c.place is not null
       ),
       decided as materialized (
         select f.place, f.sku, f.location_code, f.quantity, f.updated_at,
           f.product_id, f.variant_id, f.location_id, f.counts, f.variant_counts,
           e.id as level_id, e.is_from_feed, coalesce(e.quantity, 0) as quantity_before,
           coalesce(e.reserved, 0) as reserved_before, coalesce(f.reserved, e.reserved, 0) as reserved,
           case
             when f.product_id is null then 'unknown_sku'
             when f.has_variants then 'not_stockable'
             when f.location_id is null then 'unknown_location'
             when f.updated_at < e.source_updated_at then 'stale'
             when f.quantity = e.quantity and coalesce(f.reserved, e.reserved) = e.reserved then 'unchanged'
             else 'applied'
           end as result
         from found f
         -- In two halves, since "is not distinct from" uses no index.
         left join lateral (
           select l.id, l.quantity, l.reserved, l.source_updated_at, l.is_from_feed from stock_levels l
           where l.brand_id = $1 and l.product_id = f.product_id and l.variant_id = f.variant_id
             and l.location_id = f.location_id
           union all
           select l.id, l.quantity, l.reserved, l.source_updated_at, l.is_from_feed from stock_levels l
           where l.brand_id = $1 and l.product_id = f.product_id and l.variant_id is null
             and l.location_id = f.location_id and f.variant_id is null
         ) e on true
       ),
       written as (
         update stock_levels l
         set quantity = d.quantity, reserved = d.reserved, source_updated_at = d.updated_at, is_from_feed = true,
           updated_at = date_trunc('milliseconds', clock_timestamp())
         from decided d
         where l.brand_id = $1 and l.id = d.level_id and d.result in ('applied', 'unchanged')
       ),
       made as (
         insert into stock_levels (brand_id, product_id, variant_id, location_id, sku, location_code, quantity,
           reserved, source_updated_at, is_from_feed)
         select $1, d.product_id, d.variant_id, d.location_id, d.sku, d.location_code, d.quantity, d.reserved,
           d.updated_at, true
         from decided d
         where d.level_id is null and d.result = 'applied'
         returning id, product_id, variant_id, sku, location_code, quantity
       ),
       moved as (
         insert into stock_movements (brand_id, level_id, product_id, variant_id, sku, location_code,
           quantity_before, quantity_after, reason, note)
         select $1, d.level_id, d.product_id, d.variant_id, d.sku, d.location_code, d.quantity_before, d.quantity,
           'feed', $4
         from decided d
         where d.level_id is not null and d.result = 'applied' and d.quantity <> d.quantity_before
         union all
         select $1, m.id, m.product_id, m.variant_id, m.sku, m.location_code, 0, m.quantity, 'feed', $4
         from made m
         where m.quantity <> 0
       ),
       differences as (
         select d.product_id,
           sum(d.quantity - d.quantity_before::bigint) as quantity,
           sum(d.reserved - d.reserved_before::bigint) as reserved,
           count(*) filter (where own and is_new) as own_levels,
           count(*) filter (where own and is_new and d.counts) as own_counted_levels,
           coalesce(sum(available) filter (where own and d.counts), 0) as own_available,
           max(d.updated_at) filter (where own and d.counts) as own_fresh_at,
           count(*) filter (where d.variant_counts and is_new) as variant_levels,
           count(*) filter (where d.variant_counts and is_new and d.counts) as variant_counted_levels,
           coalesce(sum(available) filter (where d.variant_counts and d.counts), 0) as variant_available,
           max(d.updated_at) filter (where d.variant_counts and d.counts) as variant_fresh_at
         from decided d
         cross join lateral (
           select d.variant_id is null as own, d.level_id is null as is_new,
             greatest(d.quantity - d.reserved, 0) - greatest(d.quantity_before - d.reserved_before, 0)::bigint
               as available
         ) x
         where d.result in ('applied', 'unchanged')
         group by d.product_id
       ),
       rolled as (
         update product_stock s
         set total_quantity = s.total_quantity + d.quantity,
           total_reserved = s.total_reserved + d.reserved,
           own_levels = s.own_levels + d.own_levels,
           own_counted_levels = s.own_counted_levels + d.own_counted_levels,
           own_available = s.own_available + d.own_available,
           own_fresh_at = greatest(s.own_fresh_at, d.own_fresh_at),
           variant_levels = s.variant_levels + d.variant_levels,
           variant_counted_levels = s.variant_counted_levels + d.variant_counted_levels,
           variant_available = s.variant_available + d.variant_available,
           variant_fresh_at = greatest(s.variant_fresh_at, d.variant_fresh_at)
         from differences d
         where s.brand_id = $1 and s.product_id = d.product_id
       ),
       marked as (
         -- By their place in the table: nobody else writes lines, and a join by number would be planned for one line.
         update stock_feed_lines l set result = d.result from decided d where l.ctid = d.place
       )
       select d.result, count(*)::integer as lines,
         json_agg(distinct d.product_id) filter (where d.result in ('applied', 'unchanged')) as product_ids,
         json_agg(distinct d.location_id) filter (where d.result in ('applied', 'unchanged')) as location_ids,
         json_agg(distinct d.product_id) filter (where d.result in ('applied', 'unchanged') and not d.is_from_feed)
           as unsettled_product_ids
       from decided d
       group by d.result`,
      [brandId, id, nextLine, `feed:${tuId}`],
    ),
  );
  return {
    counts: Object.fromEntries(rows.map(({ result, lines }) => [result, lines])),
    productIds: rows.flatMap((row) => row.product_ids ?? []),
    locationIds: rows.flatMap((row) => row.location_ids ?? []),
    unsettledProductIds: [...new Set(rows.flatMap((row) => row.unsettled_product_ids ?? []))],
  };
}
