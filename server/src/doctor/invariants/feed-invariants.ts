import { type Statement, statement } from '../../postgres/statement.ts';
import type { MainInvariant, Rewrite } from './invariant.ts';
import { feedScan } from './scan.ts';

/** Repairs feeds that are locked in an earlier statement, so that workers cannot finish chunks of them meanwhile. */
function underFeedLocks(
  statementOf: (brandId: number, feedIds: readonly string[]) => Statement<never>,
): Rewrite {
  return async (tx, brandId, feedIds) => {
    await tx.run(
      statement<{ id: number }>(
        'lock_feeds',
        `select id from stock_feeds
         where brand_id = $1 and id = any($2::bigint[])
         order by id
         for no key update`,
        [brandId, feedIds],
      ),
    );
    await tx.run(statementOf(brandId, feedIds));
  };
}

/** Lines that were dropped are dropped completely; then the sum is all that can be checked. */
const totals: MainInvariant = {
  id: 'feed_totals',
  tables: ['stock_feeds', 'stock_feed_packs'],
  holds:
    'The totals of a feed count its decided lines; it has as many lines as it received, and decides them in order. If its lines were dropped, it has none, and the totals of a completed feed add up to the received lines.',
  finds: [
    {
      scan: feedScan,
      sql: `with feeds as (
          select f.id, f.tu_id, f.totals, f.received_lines, f.status, f.lines_dropped_at is not null as is_dropped,
            case f.status when 'completed' then f.received_lines else f.next_line end as done_before
          from stock_feeds f
          where f.brand_id = $1 and f.id > $2 and f.id <= $3
        ), counted as (
          select l.feed_id, l.result, count(*) as lines, count(*) filter (where l.line < f.done_before) as done
          from feeds f
          join stock_feed_lines l on l.brand_id = $1 and l.feed_id = f.id
          group by l.feed_id, l.result
        )
        select f.id::text as key, f.tu_id as id, d.field, d.stored, d.actual, d.is_repairable
        from feeds f
        cross join lateral (
          select 'totals.' || coalesce(t.key, c.result) as field, coalesce(t.value, '0') as stored,
            coalesce(c.lines, 0)::text as actual, true as is_repairable
          from jsonb_each_text(f.totals) t
          full join (select result, lines from counted where feed_id = f.id and result is not null) c
            on c.result = t.key
          where not f.is_dropped
          union all
          select 'totals', (select coalesce(sum(value::integer), 0)::text from jsonb_each_text(f.totals)),
            f.received_lines::text, false
          where f.is_dropped and f.status = 'completed'
          union all
          select case when f.is_dropped then 'dropped_lines' else 'received_lines' end,
            case when f.is_dropped then '0' else f.received_lines::text end,
            (select coalesce(sum(lines), 0)::text from counted where feed_id = f.id), false
          union all
          select 'lines_passed_over', '0',
            (select coalesce(sum(done), 0)::text from counted where feed_id = f.id and result is null), false
        ) as d
        where d.stored is distinct from d.actual
        order by f.id, d.field`,
    },
  ],
  repair: 'counts again; not where lines are missing, were passed over or were dropped',
  rewrite: underFeedLocks((brandId, feedIds) =>
    statement(
      'rewrite_feed_totals',
      `update stock_feeds f
       set totals = coalesce((
         select jsonb_object_agg(t.result, t.lines) from (
           select l.result, count(*) as lines from stock_feed_lines l
           where l.brand_id = f.brand_id and l.feed_id = f.id and l.result is not null
           group by l.result
         ) as t
       ), '{}')
       where f.brand_id = $1 and f.id = any($2::bigint[]) and f.lines_dropped_at is null`,
      [brandId, feedIds],
    ),
  ),
};

/** Superseded lines may be decided ahead: the intake decides them. */
const progress: MainInvariant = {
  id: 'feed_progress',
  tables: ['stock_feeds', 'stock_feed_packs'],
  holds: 'A completed feed has passed all of its lines; no line after `next_line` is decided.',
  finds: [
    {
      scan: feedScan,
      sql: `select f.id::text as key, f.tu_id as id, d.field, d.stored, d.actual, d.is_repairable
        from stock_feeds f
        cross join lateral (
          select 'next_line' as field, f.next_line::text as stored, f.received_lines::text as actual, true as is_repairable
          where f.status = 'completed' and f.next_line <> f.received_lines
          union all
          select 'decided_ahead', count(*)::text, '0', false
          from stock_feed_lines l
          where f.status <> 'completed' and l.brand_id = f.brand_id and l.feed_id = f.id and l.line >= f.next_line
            and l.result <> 'superseded'
          having count(*) > 0
        ) d
        where f.brand_id = $1 and f.id > $2 and f.id <= $3
        order by f.id, d.field`,
    },
  ],
  repair: 'completes `next_line`; not decided lines',
  rewrite: underFeedLocks((brandId, feedIds) =>
    statement(
      'complete_feed_progress',
      `update stock_feeds set next_line = received_lines
       where brand_id = $1 and id = any($2::bigint[]) and status = 'completed'`,
      [brandId, feedIds],
    ),
  ),
};

/** The digest of a feed cannot be recomputed: it covers the request, in which times of receipt were not filled in yet. */
const numbering: MainInvariant = {
  id: 'feed_numbering',
  tables: ['stock_feeds', 'stock_feed_packs'],
  holds: 'Lines are numbered from 0 without a gap, a report order names each of them once.',
  finds: [
    {
      scan: feedScan,
      sql: `select f.id::text as key, f.tu_id as id, d.field, d.stored, d.actual, false as is_repairable
        from stock_feeds f
        cross join lateral (
          select 'lines' as field, min(l.line) || ' to ' || max(l.line) as stored, '0 to ' || count(*) - 1 as actual
          from stock_feed_lines l
          where l.brand_id = f.brand_id and l.feed_id = f.id
          having min(l.line) <> 0 or max(l.line) <> count(*) - 1
          union all
          select 'report_order', count(distinct o.line) || ' of ' || cardinality(f.report_order),
            f.received_lines || ' of ' || f.received_lines
          from unnest(f.report_order) as o (line)
          having f.report_order is not null and (
            cardinality(f.report_order) <> f.received_lines
            or count(distinct o.line) filter (where o.line >= 0 and o.line < f.received_lines) <> f.received_lines
          )
        ) d
        where f.brand_id = $1 and f.id > $2 and f.id <= $3
        order by f.id, d.field`,
    },
  ],
  repair: null,
};

export const feedInvariants = [totals, progress, numbering];
