import type { Queryable } from '../../postgres/database.ts';
import { statement } from '../../postgres/statement.ts';
import type { TableSize } from './list-table-sizes.ts';

/** The part of a table that is read: all of a small one. */
const sampleBytes = 32 * 1024 * 1024;

/** When a row `t` came into being. Events and datasets count for the day that they are about. Other tables have no growth. */
const cameAt: Readonly<Record<string, string>> = {
  'public.products': 't.created_at',
  'public.variants': 't.created_at',
  'public.stock_changes': 't.changed_at',
  'public.stock_movements': 't.created_at',
  'public.idempotency_records': 't.created_at',
  'public.stock_feeds': 't.received_at',
  'public.stock_feed_packs':
    '(select f.received_at from stock_feeds f where f.brand_id = t.brand_id and f.id = t.feed_id)',
  'public.audit_entries': 't.at',
  'public.api_key_usage': 't.hour',
  'public.refusals': 't.at',
  'public.alerts': 't.created_at',
  'public.learners': 't.created_at',
  'public.contents': 't.created_at',
  'analytics.learning_events': 't.day',
  'analytics.event_claims': 't.day',
  'analytics.brand_days': 't.day',
  'analytics.daily': 't.day',
  'analytics.contents': 't.day',
  'analytics.users': 't.day',
  'analytics.content_engagement': 't.day',
  'analytics.dataset_revisions': 't.day',
};

export interface TableSample {
  /** The fraction of the table's pages that was read; 1: all rows were counted. */
  readonly fraction: number;
  readonly hasGrowth: boolean;
  readonly brands: readonly {
    /** null: of no brand. */
    readonly brandId: number | null;
    readonly rows: number;
    /** Size of the rows themselves, without free space. */
    readonly bytes: number;
    /** The part of `bytes` that came since `since`. */
    readonly recentBytes: number;
  }[];
}

/** Counts rows and bytes by brand; of a large table, in random pages, 32 MB altogether. The names are those of the catalog. */
export async function sampleTable(
  database: Queryable,
  { schema, name, heapBytes, hasBrand, rowSize }: TableSize,
  since: Date,
): Promise<TableSample> {
  const fraction = Math.min(1, sampleBytes / Math.max(heapBytes, 1));
  const pages = fraction < 1 ? `tablesample system (${(fraction * 100).toPrecision(6)})` : '';
  const time = cameAt[`${schema}.${name}`];
  const recent = time === undefined ? 'null' : `sum(${rowSize}) filter (where ${time} >= $1)`;
  // Idempotency-Keys of the internal surface have brand 0.
  const brand = hasBrand ? 'nullif(t.brand_id, 0)' : 'null::integer';
  const rows = await database.run(
    statement<{ brand_id: number | null; rows: number; bytes: number; recent_bytes: number }>(
      // Without a name: the texts differ, and each is sent once.
      '',
      `select ${brand} as brand_id, count(*) as rows, sum(${rowSize})::float8 as bytes,
         coalesce(${recent}, 0)::float8 as recent_bytes
       from "${schema}"."${name}" t ${pages}
       where $1::timestamptz is not null
       group by 1 order by 1`,
      [since],
      { long: true },
    ),
  );
  return {
    fraction,
    hasGrowth: time !== undefined,
    brands: rows.map(({ brand_id, rows: count, bytes, recent_bytes }) => ({
      brandId: brand_id,
      rows: Math.round(count / fraction),
      bytes: bytes / fraction,
      recentBytes: recent_bytes / fraction,
    })),
  };
}
