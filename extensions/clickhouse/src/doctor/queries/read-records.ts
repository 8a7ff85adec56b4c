import type { Day } from '../../../../../server/src/analytics/day.ts';
import { type DatasetName, datasetNames } from '../../../../../server/src/analytics/store/datasets.ts';
import { statement } from '../../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { committedBatches, writeNumber } from '../../store/coordination/batch-store.ts';
import { listHiddenLearners } from '../../store/coordination/hidden-learner-store.ts';
import { listLayers } from '../../store/coordination/layer-store.ts';
import { findTotals, type RunningTotals } from '../../store/coordination/totals-store.ts';
import type { Layers } from '../../store/layers.ts';
import type { FoundDifference } from '../differences.ts';

export interface RecordedDay {
  /** True if its events cannot be compared: it is dirty, or they were dropped. */
  readonly isDirty: boolean;
  readonly isDropped: boolean;
  readonly rows: Readonly<Partial<Record<DatasetName, number>>>;
  /** The datasets without a revision of the day. */
  readonly unrevised: readonly DatasetName[];
}

/** The claims of a day: their number, and a sum over hashes of their ids. */
export interface ClaimedDay {
  readonly claims: number;
  readonly hashes: string;
}

export interface BrandRecords {
  readonly days: ReadonlyMap<Day, RecordedDay>;
  readonly claims: ReadonlyMap<Day, ClaimedDay>;
  readonly layers: ReadonlyMap<DatasetName, Layers>;
  /** The published running totals; those of a dataset without any are missing. */
  readonly totals: ReadonlyMap<DatasetName, RunningTotals>;
  /** A condition: the event belongs to a committed batch. */
  readonly isCommitted: string;
  readonly hiddenLearnerIds: readonly number[];
  /** Generations that are not published and that the upkeep knows. */
  readonly known: ReadonlySet<number>;
  /** Batches and generations below it are older than an hour. */
  readonly hourAgo: number;
  /** Rows that the upkeep should have deleted by now. */
  readonly overdue: readonly FoundDifference[];
}

/** Reads everything from one snapshot. */
export async function readRecords(tx: Transaction, brandId: number): Promise<BrandRecords> {
  await tx.run(statement<never>('doctor_isolation', 'set transaction isolation level repeatable read'));
  const days = await readDays(tx, brandId);
  const layers = new Map<DatasetName, Layers>();
  const totals = new Map<DatasetName, RunningTotals>();
  for (const dataset of datasetNames) {
    layers.set(dataset, await listLayers(tx, brandId, dataset));
    const ofDataset = await findTotals(tx, brandId, dataset);
    if (ofDataset !== null) totals.set(dataset, ofDataset);
  }
  return {
    days,
    claims: await readClaims(tx, brandId),
    layers,
    totals,
    isCommitted: await committedBatches(tx, brandId),
    hiddenLearnerIds: await listHiddenLearners(tx, brandId),
    ...(await readUpkeep(tx, brandId)),
  };
}

async function readDays(tx: Transaction, brandId: number): Promise<BrandRecords['days']> {
  const rows = await tx.run(
    statement<{ day: Day } & RecordedDay>(
      'read_doctor_day_records',
      `select to_char(b.day, 'YYYY-MM-DD') as day, b.is_dirty as "isDirty", coalesce(b.day < r.kept_since, false) as "isDropped",
         b.row_counts as rows, (
           select coalesce(json_agg(n.dataset), '[]')
           from (values ('daily'), ('contents'), ('users'), ('content_engagement')) as n (dataset)
           where not exists (
             select from analytics.dataset_revisions v where v.brand_id = $1 and v.dataset = n.dataset and v.day = b.day
           )
         ) as unrevised
       from analytics.brand_days b left join analytics.event_retention r on true
       where b.brand_id = $1 and b.aggregated_at is not null order by b.day`,
      [brandId],
    ),
  );
  return new Map(rows.map(({ day, ...record }) => [day, record]));
}

async function readClaims(tx: Transaction, brandId: number): Promise<BrandRecords['claims']> {
  const rows = await tx.run(
    statement<{ day: Day } & ClaimedDay>(
      'read_doctor_claims',
      `select to_char(c.day, 'YYYY-MM-DD') as day, count(*) as claims,
         sum(('x' || left(md5(c.event_id), 8))::bit(32)::bigint)::text as hashes
       from analytics.event_claims c left join analytics.event_retention r on true
       where c.brand_id = $1 and (r.kept_since is null or c.day >= r.kept_since)
       group by c.day order by c.day`,
      [brandId],
    ),
  );
  return new Map(rows.map(({ day, ...claimed }) => [day, claimed]));
}

async function readUpkeep(
  tx: Transaction,
  brandId: number,
): Promise<Pick<BrandRecords, 'known' | 'hourAgo' | 'overdue'>> {
  const rows = await tx.run(
    statement<Pick<BrandRecords, 'hourAgo' | 'overdue'> & { known: number[] }>(
      'read_doctor_upkeep',
      `select ${writeNumber(`clock_timestamp() - interval '1 hour'`)} as "hourAgo", (
         select coalesce(json_agg(k.generation), '[]') from (
           select generation from analytics.stale_layers where brand_id = $1
           union select generation from analytics.generation_attempts where brand_id = $1
         ) as k
       ) as known, (
         select coalesce(json_agg(o), '[]') from (
           select to_char(day, 'YYYY-MM-DD') as day, dataset || ' ' || to_char(day, 'YYYY-MM-DD') || ' ' || generation as id,
             'upkeep' as field, 'replaced rows' as stored, null as actual
           from analytics.stale_layers where brand_id = $1 and since < clock_timestamp() - interval '25 hours'
           union all
           select to_char(started_at, 'YYYY-MM-DD'), 'generation ' || generation, 'upkeep', 'an interrupted aggregation', null
           from analytics.generation_attempts where brand_id = $1 and started_at < clock_timestamp() - interval '1 hour'
           union all
           select to_char(since, 'YYYY-MM-DD'), 'learner ' || user_id, 'upkeep', 'an interrupted erasure', null
           from analytics.hidden_learners where brand_id = $1 and since < clock_timestamp() - interval '1 hour'
           limit 1000
         ) as o
       ) as overdue`,
      [brandId],
    ),
  );
  const { known, ...rest } = rows[0] as (typeof rows)[number];
  return { known: new Set(known), ...rest };
}
