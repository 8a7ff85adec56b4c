import type { BrandReach } from '../../api/access.ts';
import type { Queryable } from '../../postgres/database.ts';
import { Conditions } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';

/** Figures of the stock feeds that are not finished. */
export interface FeedFigures {
  readonly queued: number;
  readonly processing: number;
  /** When the oldest unfinished feed was received; null: all are finished. */
  readonly oldestAt: Date | null;
  readonly waitingLines: number;
  /** The sum of the rates of the feeds that were worked on in the last minute; null: none was. */
  readonly linesPerSecond: number | null;
}

/**
 * Reads unfinished feeds by their partial index: nothing that grows with the finished feeds. The rate counts from the receipt
 * or the end of the feed before it, as in `linesPerSecond`.
 */
export async function readFeedFigures(
  database: Queryable,
  brandIds: BrandReach,
  now: Date,
): Promise<FeedFigures> {
  const where = new Conditions(['f.finished_at is null'], [now]);
  where.addBrands('f.brand_id', brandIds);
  const rows = await database.run(
    statement<FeedFigures>(
      `read_feed_figures${where.code}`,
      `select count(*) filter (where f.status = 'queued') as queued,
         count(*) filter (where f.status = 'processing') as processing,
         min(f.received_at) as "oldestAt",
         coalesce(sum(f.received_lines - f.next_line), 0)::bigint as "waitingLines",
         round(sum(f.next_line / r.seconds)::numeric, 1)::float8 as "linesPerSecond"
       from stock_feeds f
       left join lateral (
         select nullif(greatest(0, extract(epoch from f.worked_at - greatest(f.received_at, (
           select p.finished_at from stock_feeds p where p.brand_id = f.brand_id and p.id < f.id order by p.id desc limit 1
         )))), 0)::float8 as seconds
         where f.next_line > 0 and f.worked_at > $1::timestamptz - interval '1 minute'
       ) as r on true
       where ${where.sql}`,
      where.values,
      { long: true },
    ),
  );
  return rows[0] as FeedFigures;
}
