import type pg from 'pg';
import type { DatasetName } from '../../../../server/src/analytics/store/aggregation-types.ts';

/** A snapshot's record of what counts of a brand's rows in ClickHouse. */
export interface ExportedRecords {
  /** A condition on events: their batch is committed, and their month was not dropped. */
  readonly areKept: string;
  /** Erased learners whose rows ClickHouse still has. */
  readonly hiddenLearnerIds: readonly number[];
}

export async function readExportedRecords(client: pg.Client, brandId: number): Promise<ExportedRecords> {
  const { rows } = await client.query<{
    sealed_before: string;
    batches: string[];
    first_month: number;
    hidden: number[];
  }>(
    `select s.sealed_before::text as sealed_before,
       (select coalesce(json_agg(distinct b.batch::text), '[]') from analytics.event_batches b where b.brand_id = $1) as batches,
       coalesce((select to_char(kept_since, 'YYYYMM')::integer from analytics.event_retention), 0) as first_month,
       (select coalesce(json_agg(h.user_id), '[]') from analytics.hidden_learners h where h.brand_id = $1) as hidden
     from analytics.clickhouse_store s`,
    [brandId],
  );
  const { sealed_before, batches, first_month, hidden } = rows[0] as (typeof rows)[number];
  const listed = batches.length === 0 ? '' : ` or batch in (${batches.join(', ')})`;
  return {
    areKept: `month >= ${first_month} and (batch < ${sealed_before}${listed})`,
    hiddenLearnerIds: hidden,
  };
}

/** The published generations of a dataset's days in a month that have the same place among those of their day. */
export interface ExportedLayer {
  /** `YYYYMM`. */
  readonly month: number;
  /** From 0. */
  readonly layer: number;
  /** Days since 1970-01-01, and the generation of each. */
  readonly days: readonly (readonly [day: number, generation: string])[];
}

/** Lists the layers of a brand's dataset, by month and place. */
export async function listExportedLayers(
  client: pg.Client,
  brandId: number,
  dataset: DatasetName,
): Promise<ExportedLayer[]> {
  const { rows } = await client.query<ExportedLayer>(
    `select to_char(p.day, 'YYYYMM')::integer as month, (g.place - 1)::integer as layer,
       json_agg(json_build_array(p.day - date '1970-01-01', g.generation::text) order by p.day) as days
     from analytics.published_layers p cross join unnest(p.generations) with ordinality as g (generation, place)
     where p.brand_id = $1 and p.dataset = $2
     group by 1, 2 order by 1, 2`,
    [brandId, dataset],
  );
  return rows;
}
