import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';

/**
 * Compares the totals of feeds with their lines: lines by result (repairable), number of lines, and lines
 * that were passed over without a result. So the totals of a completed feed add up to the received lines. Lines that were
 * dropped are dropped completely; then the sum is all that can be checked.
 */
export async function findFeedTotalDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'feed_total_differences',
      `with feeds as (
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
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
