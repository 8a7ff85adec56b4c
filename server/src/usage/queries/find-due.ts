import { packLines } from '../../catalog/feeds/feed.ts';
import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';

/** Counts the lines that `brandport retain` would drop now, and their packs, by an index of the feeds. */
export async function countDueFeedLines(
  database: Queryable,
  before: Date,
): Promise<{ readonly lines: number; readonly packs: number }> {
  const rows = await database.run(
    statement<{ lines: number; packs: number }>(
      'count_due_feed_lines',
      `select coalesce(sum(received_lines), 0)::float8 as lines,
         coalesce(sum(ceil(received_lines / ${packLines}.0)), 0)::float8 as packs
       from stock_feeds
       where finished_at < $1 and lines_dropped_at is null`,
      [before],
      { long: true },
    ),
  );
  return rows[0] ?? { lines: 0, packs: 0 };
}

const dueRows = {
  audit: { table: 'audit_entries', due: 'at < $1' },
  // Days as a whole.
  'key-usage': { table: 'api_key_usage', due: `hour < date_trunc('day', $1::timestamptz, 'UTC')` },
  refusals: { table: 'refusals', due: 'at < $1' },
  'stock-changes': { table: 'stock_changes', due: 'changed_at < $1' },
} as const;

export async function countDueRows(
  database: Queryable,
  policy: keyof typeof dueRows,
  before: Date,
): Promise<{ readonly rows: number; readonly table: string }> {
  const { table, due } = dueRows[policy];
  const counts = await database.run(
    statement<{ rows: number }>(
      `count_due_${table}`,
      `select count(*)::float8 as rows from ${table} where ${due}`,
      [before],
      { long: true },
    ),
  );
  return { rows: counts[0]?.rows ?? 0, table: `public.${table}` };
}

/**
 * Counts raw events before the month of `before` by their ids, and the bytes of the partitions that go, whether held back or
 * not.
 */
export async function findDueEvents(
  database: Queryable,
  before: Date,
): Promise<{ readonly events: number; readonly partitionBytes: number }> {
  const rows = await database.run(
    statement<{ events: number; bytes: number }>(
      'find_due_events',
      `with kept as (select date_trunc('month', $1::timestamptz at time zone 'UTC')::date as since)
       select (
         select count(*) from analytics.event_claims where day < (select since from kept)
       )::float8 as events, (
         select coalesce(sum(pg_total_relation_size(c.oid)), 0)
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'analytics.learning_events'::regclass and c.relname ~ '^learning_events_\\d{4}_\\d\\d$'
           and to_date(right(c.relname, 7), 'YYYY_MM') < (select since from kept)
       )::float8 as bytes`,
      [before],
      { long: true },
    ),
  );
  return { events: rows[0]?.events ?? 0, partitionBytes: rows[0]?.bytes ?? 0 };
}
