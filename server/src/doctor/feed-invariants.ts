import { statement } from '../postgres/statement.ts';
import type { MainInvariant } from './invariant.ts';

/**
 * The digest of a feed cannot be recomputed: it covers the request, in which times of receipt were not filled in yet. Lines that
 * were dropped are dropped completely; then the sum is all that can be checked.
 */
const totals: MainInvariant = {
  id: 'feed_totals',
  tables: ['stock_feeds', 'stock_feed_packs'],
  holds:
    'The totals of a feed count its decided lines; it has as many lines as it received, and decides them in order; a completed one has passed them all. If its lines were dropped, it has none, and the totals of a completed feed add up to the received lines.',
  // A feed has up to 100,000 lines.
  scan: { table: 'stock_feeds', key: 'id', batchSize: 20 },
  sql: `with feeds as (
      select f.id, f.tu_id, f.totals, f.received_lines, f.next_line, f.status, f.lines_dropped_at is not null as is_dropped,
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
      select 'next_line', f.next_line::text, f.received_lines::text, true where f.status = 'completed'
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
  repair: 'counts again; not where lines are missing, were passed over or were dropped',
  async rewrite(tx, brandId, feedIds) {
    // In a separate statement, so that the next one sees what workers did until they let the feeds go.
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
    await tx.run(
      statement(
        'rewrite_feed_totals',
        `update stock_feeds f
         set next_line = case f.status when 'completed' then f.received_lines else f.next_line end,
           totals = case when f.lines_dropped_at is not null then f.totals else coalesce((
             select jsonb_object_agg(t.result, t.lines) from (
               select l.result, count(*) as lines from stock_feed_lines l
               where l.brand_id = f.brand_id and l.feed_id = f.id and l.result is not null
               group by l.result
             ) as t
           ), '{}') end
         where f.brand_id = $1 and f.id = any($2::bigint[])`,
        [brandId, feedIds],
      ),
    );
  },
};

export const feedInvariants: readonly MainInvariant[] = [totals];
