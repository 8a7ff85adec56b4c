import { type Day, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import {
  type DatasetName,
  datasetNames,
  datasetsOf,
  shapeOf,
} from '../../../../server/src/analytics/store/datasets.ts';
import { statement } from '../../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { committedBatches } from '../store/events.ts';
import { type HiddenLearner, listHidden, notHidden, withoutHidden } from '../store/hidden-learner-store.ts';
import { listPublished, type Published } from '../store/published-store.ts';
import { integer, listOf, writeNumber } from '../store/schema.ts';

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

/** The sums that are compared for each day of a dataset. */
export const comparedSums = ['views', 'completions', 'successes', 'xp_earned', 'time_spent_seconds'] as const;

export interface StoredDay {
  readonly rows: number;
  /** In the order of `comparedSums`, as decimal strings. */
  readonly sums: readonly string[];
}

export interface StoredEvents {
  readonly events: number;
  /** True if some are of learners who are opted out or returning. */
  readonly hasUnsettled: boolean;
  /** The sums of all, and without quests, as in the datasets by content; and both without unsettled learners. */
  readonly sums: readonly (readonly string[])[];
}

export interface UnreadRows {
  readonly day: Day;
  readonly generation: number;
  readonly rows: number;
}

export const ofLearners = (dataset: DatasetName) => datasetsOf('learner').includes(dataset);

/** Reads the published days of a dataset, and what is not published, older than an hour and unknown to the upkeep. */
export async function readDataset(
  clickHouse: ClickHouse,
  asked: { brandId: number; dataset: DatasetName; records: BrandRecords; unsettled: readonly number[] },
): Promise<{ published: ReadonlyMap<Day, StoredDay>; unread: readonly UnreadRows[] }> {
  const { brandId, dataset, records, unsettled } = asked;
  const all = dataset === 'daily' ? 'market_id = 0' : 'true';
  const summed = ofLearners(dataset) ? `user_id not in ${listOf(unsettled)}` : all;
  const rows = await clickHouse.rows(
    `select day, generation, count() as rows, ${comparedSums.map((column) => `sumIf(${column}, ${summed})`).join(', ')}
     from ${dataset} where brand_id = ${integer(brandId)}${notHidden(shapeOf(dataset), records.hidden)}
     group by day, generation order by day, generation`,
  );
  const { days = [], generations = [] } = records.published.get(dataset) ?? {};
  const current = new Map(days.map((day, place) => [day, generations[place]]));
  const published = new Map<Day, StoredDay>();
  const unread: UnreadRows[] = [];
  for (const [number, written, count, ...sums] of rows) {
    const [day, generation] = [dayOfNumber(Number(number)), Number(written)];
    if (current.get(Number(number)) === generation) published.set(day, { rows: Number(count), sums });
    else if (generation < records.hourAgo && !records.known.has(generation))
      unread.push({ day, generation, rows: Number(count) });
  }
  return { published, unread };
}

/** Reads the committed events by day. */
export async function readEvents(
  clickHouse: ClickHouse,
  brandId: number,
  { isCommitted, hidden }: BrandRecords,
  unsettled: readonly number[],
): Promise<ReadonlyMap<Day, StoredEvents>> {
  const settled = `user_id not in ${listOf(unsettled)}`;
  const ofContents = `content_type != 'quest'`;
  const conditions = ['true', ofContents, settled, `${settled} and ${ofContents}`];
  const sumsOf = (condition: string) => [
    ...['view', 'completion', 'success'].map((kind) => `countIf(kind = '${kind}' and ${condition})`),
    `sumIf(xp_earned, ${condition})`,
    `sumIf(time_spent_seconds, ${condition})`,
  ];
  const rows = await clickHouse.rows(
    `select day, count() as events, countIf(not (${settled})) > 0 as has_unsettled, ${conditions.flatMap(sumsOf).join(', ')}
     from learning_events where brand_id = ${integer(brandId)} and ${isCommitted}${withoutHidden(hidden)}
     group by day order by day`,
  );
  const width = comparedSums.length;
  return new Map(
    rows.map(([day, events, hasUnsettled, ...sums]) => [
      dayOfNumber(Number(day)),
      {
        events: Number(events),
        hasUnsettled: hasUnsettled === '1',
        sums: conditions.map((_, place) => sums.slice(place * width, (place + 1) * width)),
      },
    ]),
  );
}
