import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { ResultCounts } from './feed.ts';
import type { LockedChunk } from './feed-chunk-locks-store.ts';
import type { FeedInWork } from './feed-work-store.ts';
import { chunk, isLevelOfLine } from './queries/feed-chunk.ts';

export interface DecidedChunk {
  readonly counts: ResultCounts;
  /** Number of products whose stock was written, and the number of those that the caller had not locked. */
  readonly writtenProducts: number;
  readonly unlockedProducts: number;
  /** Where stock was written. */
  readonly locationIds: readonly number[];
  /** The products whose rollup must still be recomputed (`refreshProductStock`). */
  readonly unsettledProductIds: readonly number[];
}

interface DecidedRow {
  readonly counts: ResultCounts;
  readonly written_products: number;
  readonly rolled_products: number;
  readonly location_ids: number[];
  readonly unsettled_product_ids: number[];
}

/**
 * Decides every undecided line of the chunk and writes what follows: levels, movements, rollups and the lines' results.
 * One statement, whatever the lines are. The caller has locked the locations and the stock of the products
 * (`keepChunkLocations`, `lockChunkProducts`) in statements before this one, so what this one sees of levels, variants,
 * SKUs and `is_active` stays as it is. Where rows were found then is where they are looked for first: the rollups are
 * surely there, a level may have moved before its lock was there, and is then looked up again. The order of the
 * questions is that of [catalog-104] (`superseded` was answered when the feed was received).
 *
 * The rollup is moved by the difference instead of being worked out anew: with parents of 25 variants at two locations
 * the refresh alone took twice as long as all of the rest. What a difference cannot tell is a level that was last
 * written by hand and now comes from a feed, since the one that kept its product from growing stale may be gone:
 * those products are answered as unsettled.
 *
 * Measured with 2,400,000 levels of 1,000,000 products, 256 MB of shared_buffers and 100,000 lines spread at random: a
 * line costs the database 52 microseconds, 67 while the pages are written to the log whole after a checkpoint (81 and 112
 * before lines were sorted, looked up by level, and written by place). Of these the look-up and the lock take 18, of which
 * a third are pages that are read; the decision 7, the levels 5, the movements with their three indexes 10, their foreign key 7, the
 * rollups 5, the lines' results 3, planning 1.5. The plans stay custom ones on purpose: a general plan that was made while
 * the tables were empty would go on to scan them. Chunks of 2,000 are no faster; they only hold their locks longer.
 */
export async function applyChunk(
  tx: Transaction,
  { brandId, id, tuId, nextLine }: FeedInWork,
  { productIds, stockPlaces, levelPlaces }: LockedChunk,
): Promise<DecidedChunk> {
  const rows = await tx.run(
    statement<DecidedRow>(
      'apply_feed_chunk',
      `with ${chunk},
       found as (
         select c.place, c.sku, c.location_code, c.quantity, c.reserved, c.updated_at,
           l.place as level_place, l.id as level_id, l.quantity as quantity_before, l.reserved as reserved_before,
           l.source_updated_at, l.is_from_feed,
           coalesce(l.product_id, p.id, v.product_id) as product_id, coalesce(l.variant_id, v.id) as variant_id,
           o.id as location_id, o.is_active as counts, v.is_active as variant_counts,
           case
             when l.id is null then p.has_variants
             -- As has_variants says; the index answers it without the row of the product.
             when l.variant_id is null then (
               select true from variants x
               where x.brand_id = $1 and x.product_id = l.product_id and x.deleted_at is null
               limit 1
             )
           end as has_variants
         from chunk c
         left join lateral (
           select e.ctid as place, e.id, e.product_id, e.variant_id, e.quantity, e.reserved, e.source_updated_at,
             e.is_from_feed
           from stock_levels e where e.ctid = ($5::tid[])[c.line - $3 + 1] and ${isLevelOfLine}
           union all
           select e.ctid, e.id, e.product_id, e.variant_id, e.quantity, e.reserved, e.source_updated_at, e.is_from_feed
           from stock_levels e where ${isLevelOfLine}
           limit 1
         ) as l on true
         -- Not asked where there is a level. "offset 0" keeps the condition out of the join, which would ask first.
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
         left join lateral (
           select o.id, o.is_active from stock_locations o
           where o.brand_id = $1 and o.external_code = c.location_code
           offset 0
         ) as o on true
         where c.place is not null
       ),
       decided as materialized (
         select f.place, f.sku, f.location_code, f.quantity, f.updated_at,
           f.product_id, f.variant_id, f.location_id, f.counts, f.variant_counts,
           f.level_place, f.level_id, f.is_from_feed, coalesce(f.quantity_before, 0) as quantity_before,
           coalesce(f.reserved_before, 0) as reserved_before,
           coalesce(f.reserved, f.reserved_before, 0) as reserved,
           case
             when f.product_id is null then 'unknown_sku'
             when f.has_variants then 'not_stockable'
             when f.location_id is null then 'unknown_location'
             when f.updated_at < f.source_updated_at then 'stale'
             when f.quantity = f.quantity_before and coalesce(f.reserved, f.reserved_before) = f.reserved_before
               then 'unchanged'
             else 'applied'
           end as result
         from found f
       ),
       written as (
         -- By their place in the table: under the lock nobody else moves them.
         update stock_levels l
         set quantity = d.quantity, reserved = d.reserved, source_updated_at = d.updated_at, is_from_feed = true,
           updated_at = now_ms()
         from decided d
         where l.ctid = d.level_place and l.brand_id = $1 and d.result in ('applied', 'unchanged')
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
         join unnest($6::bigint[], $7::tid[]) as k (product_id, place) on k.product_id = d.product_id
         where s.ctid = k.place and s.brand_id = $1
         returning 1
       ),
       marked as (
         -- By their place in the table: nobody else writes lines, and a join by number would be planned for one line.
         update stock_feed_lines l set result = d.result from decided d where l.ctid = d.place
       )
       select
         (select json_object_agg(r.result, r.lines) from (
           select d.result, count(*) as lines from decided d group by d.result
         ) r) as counts,
         (select count(*)::integer from differences) as written_products,
         (select count(*)::integer from rolled) as rolled_products,
         (select coalesce(json_agg(distinct d.location_id), '[]') from decided d
           where d.result in ('applied', 'unchanged')) as location_ids,
         (select coalesce(json_agg(distinct d.product_id), '[]') from decided d
           where d.result in ('applied', 'unchanged') and not d.is_from_feed) as unsettled_product_ids`,
      [brandId, id, nextLine, `feed:${tuId}`, levelPlaces, productIds, stockPlaces],
    ),
  );
  const row = rows[0] as DecidedRow;
  return {
    counts: row.counts ?? {},
    writtenProducts: row.written_products,
    unlockedProducts: row.written_products - row.rolled_products,
    locationIds: row.location_ids,
    unsettledProductIds: row.unsettled_product_ids,
  };
}
