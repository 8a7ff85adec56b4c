import type { Day } from '../../../../server/src/analytics/day.ts';
import { type DatasetName, datasetNames } from '../../../../server/src/analytics/store/datasets.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { committedBatches } from '../store/events.ts';
import { type HiddenLearner, listHidden } from '../store/hidden-learner-store.ts';
import { writeNumber } from '../store/literals.ts';
import { listPublished, type Published } from '../store/published-store.ts';

/** An aggregated day. */
export interface RecordedDay {
  /** True if its events cannot be compared: it is dirty, or they were dropped. */
  readonly isDirty: boolean;
  readonly isDropped: boolean;
  readonly rows: Readonly<Partial<Record<DatasetName, number>>>;
}

export interface BrandRecords {
  readonly days: ReadonlyMap<Day, RecordedDay>;
  /** The number of claims of each day. */
  readonly claims: ReadonlyMap<Day, number>;
  readonly published: ReadonlyMap<DatasetName, Published>;
  /** A condition: the event belongs to a committed batch. */
  readonly isCommitted: string;
  readonly hidden: readonly HiddenLearner[];
  /** Generations that the upkeep knows; all of their rows that are not published are deleted. */
  readonly known: ReadonlySet<number>;
  /** Generations below it are older than an hour. */
  readonly hourAgo: number;
}

/** Reads everything from one snapshot. */
export async function readRecords(tx: Transaction, brandId: number): Promise<BrandRecords> {
  await tx.run(statement<never>('doctor_isolation', 'set transaction isolation level repeatable read'));
  const days = await tx.run(
    statement<{ day: Day } & RecordedDay>(
      'read_doctor_day_records',
      `select to_char(b.day, 'YYYY-MM-DD') as day, b.is_dirty as "isDirty", coalesce(b.day < r.kept_since, false) as "isDropped",
         b.row_counts as rows
       from analytics.brand_days b left join analytics.event_retention r on true
       where b.brand_id = $1 and b.aggregated_at is not null order by b.day`,
      [brandId],
    ),
  );
  const claims = await tx.run(
    statement<{ day: Day; claims: number }>(
      'read_doctor_claims',
      `select to_char(c.day, 'YYYY-MM-DD') as day, count(*) as claims
       from analytics.event_claims c left join analytics.event_retention r on true
       where c.brand_id = $1 and (r.kept_since is null or c.day >= r.kept_since)
       group by c.day order by c.day`,
      [brandId],
    ),
  );
  const upkeep = await tx.run(
    statement<{ hourAgo: number; known: number[] }>(
      'read_doctor_upkeep',
      `select ${writeNumber(`clock_timestamp() - interval '1 hour'`)} as "hourAgo", (
         select coalesce(json_agg(generation), '[]') from analytics.unpublished_generations where brand_id = $1
       ) as known`,
      [brandId],
    ),
  );
  const published = new Map<DatasetName, Published>();
  for (const dataset of datasetNames) published.set(dataset, await listPublished(tx, brandId, dataset));
  const { hourAgo, known } = upkeep[0] as (typeof upkeep)[number];
  return {
    days: new Map(days.map(({ day, ...record }) => [day, record])),
    claims: new Map(claims.map((of) => [of.day, of.claims])),
    published,
    isCommitted: await committedBatches(tx, brandId),
    hidden: await listHidden(tx, brandId),
    known: new Set(known),
    hourAgo,
  };
}
