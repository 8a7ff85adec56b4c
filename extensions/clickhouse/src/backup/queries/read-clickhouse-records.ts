import type pg from 'pg';
import type { DatasetName } from '../../../../../server/src/analytics/store/aggregation-types.ts';

/** Returns a condition on the events that count in a snapshot: their batch is committed, and their month was not dropped. */
export async function countedEvents(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ sealedBefore: string; batches: string[]; firstMonth: number }>(
    `select s.sealed_before::text as "sealedBefore",
       (select coalesce(json_agg(distinct b.batch::text), '[]') from analytics.event_batches b) as batches,
       coalesce((select to_char(kept_since, 'YYYYMM')::integer from analytics.event_retention), 0) as "firstMonth"
     from analytics.clickhouse_store s`,
  );
  const { sealedBefore, batches, firstMonth } = rows[0] as (typeof rows)[number];
  const listed = batches.length === 0 ? '' : ` or batch in (${batches.join(', ')})`;
  return `month >= ${firstMonth} and (batch < ${sealedBefore}${listed})`;
}

/** The months that have published rows of a dataset, ascending, such as `202603`. */
export async function listPublishedMonths(client: pg.Client, dataset: DatasetName): Promise<number[]> {
  const { rows } = await client.query(
    `select distinct to_char(day, 'YYYYMM')::integer as month from analytics.published_layers where dataset = $1 order by month`,
    [dataset],
  );
  return rows.map(({ month }) => month);
}

/** The published generations of a month, by brand and day, which counts from 1970-01-01. */
export async function listPublishedRows(
  client: pg.Client,
  dataset: DatasetName,
  month: number,
): Promise<{ readonly brandId: number; readonly day: number; readonly generation: string }[]> {
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
