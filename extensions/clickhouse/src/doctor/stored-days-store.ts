import { type Day, dayOfNumber } from '../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../server/src/analytics/store/datasets.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { shapes } from '../store/dataset-shape.ts';
import { notHidden, withoutHidden } from '../store/hidden-learner-store.ts';
import { integer, listOf } from '../store/literals.ts';
import type { BrandRecords } from './brand-records-store.ts';

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

export const ofLearners = (dataset: DatasetName) => shapes[dataset].keys.includes('user_id');

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
     from ${dataset} where brand_id = ${integer(brandId)}${notHidden(shapes[dataset], records.hidden)}
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
