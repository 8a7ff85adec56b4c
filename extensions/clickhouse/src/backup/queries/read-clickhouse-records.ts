import type pg from 'pg';
import type { DatasetName } from '../../../../../server/src/analytics/store/aggregation-types.ts';

/** A snapshot's record of the ClickHouse database of its store. */
export interface ClickHouseRecords {
  /** Batches below it are committed, and so are `batches`. */
  readonly sealedBefore: string;
  readonly batches: readonly string[];
  /** The first month that has events, such as `202603`; 0: any. */
  readonly firstMonth: number;
}

export async function readClickHouseRecords(client: pg.Client): Promise<ClickHouseRecords> {
  const { rows } = await client.query<ClickHouseRecords>(
    `select s.sealed_before::text as "sealedBefore",
       (select coalesce(json_agg(distinct b.batch::text), '[]') from analytics.event_batches b) as batches,
       coalesce((select to_char(kept_since, 'YYYYMM')::integer from analytics.event_retention), 0) as "firstMonth"
     from analytics.clickhouse_store s`,
  );
  return rows[0] as ClickHouseRecords;
}

/** A published generation of a dataset's day. */
export interface PublishedRows {
  readonly brandId: number;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly generation: string;
}

/** The months that have published rows of a dataset, ascending, such as `202603`. */
export async function listPublishedMonths(client: pg.Client, dataset: DatasetName): Promise<number[]> {
  const { rows } = await client.query(
    `select distinct to_char(day, 'YYYYMM')::integer as month from analytics.published_layers where dataset = $1 order by month`,
    [dataset],
  );
  return rows.map(({ month }) => month);
}

/** The published generations of a month, by brand and day. */
export async function listPublishedRows(
  client: pg.Client,
  dataset: DatasetName,
  month: number,
): Promise<PublishedRows[]> {
  const { rows } = await client.query(
    `select p.brand_id as "brandId", p.day - date '1970-01-01' as day, g.generation::text as generation
     from analytics.published_layers p cross join unnest(p.generations) as g (generation)
     where p.dataset = $1 and p.day >= to_date($2::text, 'YYYYMM')
       and p.day < to_date($2::text, 'YYYYMM') + interval '1 month'
     order by p.brand_id, p.day, g.generation`,
    [dataset, String(month).padStart(6, '0')],
  );
  return rows;
}
