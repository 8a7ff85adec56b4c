import type { Database } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { Batch, DifferenceRow } from '../check.ts';

/**
 * Compares the progress of feeds with their lines: a completed feed has passed all of its lines (repairable), and no line
 * after the next one is decided, except superseded ones, which the intake decides.
 */
export async function findFeedProgressDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'feed_progress_differences',
      `select f.id::text as key, f.tu_id as id, d.field, d.stored, d.actual, d.is_repairable
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
      [brandId, after, upTo],
      { long: true },
    ),
  );
}

/**
 * Checks the numbering of feeds: lines from 0 without a gap, and a report order that names each of them once.
 * (The digest of a feed cannot be recomputed: it covers the request, in which times of receipt were not
 * filled in yet.)
 */
export async function findFeedNumberingDifferences(
  database: Database,
  brandId: number,
  { after, upTo }: Batch,
): Promise<DifferenceRow[]> {
  return database.run(
    statement<DifferenceRow>(
      'feed_numbering_differences',
      `select f.id::text as key, f.tu_id as id, d.field, d.stored, d.actual, false as is_repairable
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
      [brandId, after, upTo],
      { long: true },
    ),
  );
}
