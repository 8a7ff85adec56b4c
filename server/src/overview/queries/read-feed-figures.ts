import type { BrandReach } from '../../api/access.ts';
import { openRefusedLines } from '../../catalog/feeds/feed.ts';
import type { Queryable } from '../../postgres/database.ts';
import { Conditions } from '../../postgres/read-page.ts';
import { statement } from '../../postgres/statement.ts';

/** Figures of the stock feeds that are not finished, and of those that failed lately. */
export interface FeedFigures {
  readonly queued: number;
  readonly processing: number;
  /** When the oldest unfinished feed was received; null: all are finished. */
  readonly oldestAt: Date | null;
  readonly waitingLines: number;
  /** The sum of the rates of the feeds that were worked on in the last minute; null: none was. */
  readonly linesPerSecond: number | null;
  readonly failed: number;
  readonly refusedLines: number;
}

/**
 * Reads unfinished feeds, and those of a day that failed or have refused lines, by partial indexes: nothing that grows with the
 * finished feeds. The rate counts from the receipt or the end of the feed before it, as in `linesPerSecond`.
 */
export async function readFeedFigures(
  database: Queryable,
  brandIds: BrandReach,
  now: Date,
): Promise<FeedFigures> {
  const where = new Conditions([], [now]);
  const of = where.addBrands('f.brand_id', brandIds);
  const within = (alias: string) => (of === null ? '' : `and ${alias}.brand_id = any(${of}::integer[])`);
  const rows = await database.run(
    statement<FeedFigures>(
      `read_feed_figures${where.code}`,
      `select count(*) filter (where f.status = 'queued') as queued,
         count(*) filter (where f.status = 'processing') as processing,
         min(f.received_at) as "oldestAt",
         coalesce(sum(f.received_lines - f.next_line), 0)::bigint as "waitingLines",
         round(sum(f.next_line / r.seconds)::numeric, 1)::float8 as "linesPerSecond",
         (
           select count(*) from stock_feeds x
           where x.status = 'failed' and x.finished_at > $1::timestamptz - interval '24 hours' ${within('x')}
         ) as failed,
         (
           select coalesce(sum(${openRefusedLines.lines('x')}), 0)::bigint from stock_feeds x
           where ${openRefusedLines.condition('x')} and x.finished_at > $1::timestamptz - interval '24 hours' ${within('x')}
         ) as "refusedLines"
       from stock_feeds f
       left join lateral (
         select nullif(greatest(0, extract(epoch from f.worked_at - greatest(f.received_at, (
           select p.finished_at from stock_feeds p where p.brand_id = f.brand_id and p.id < f.id order by p.id desc limit 1
         )))), 0)::float8 as seconds
         where f.next_line > 0 and f.worked_at > $1::timestamptz - interval '1 minute'
       ) as r on true
       where f.finished_at is null ${within('f')}`,
      where.values,
      { long: true },
    ),
  );
  return rows[0] as FeedFigures;
}
