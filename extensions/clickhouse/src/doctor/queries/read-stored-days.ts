import { type Day, dayOfNumber } from '../../../../../server/src/analytics/day.ts';
import type { DatasetName } from '../../../../../server/src/analytics/store/datasets.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { notHidden, shapes } from '../../store/dataset-shape.ts';
import { pairsOf } from '../../store/layers.ts';
import { integer, listOf } from '../../store/literals.ts';
import type { BrandRecords } from './read-records.ts';

/** The sums that are compared for each day of a dataset. */
export const comparedSums = ['views', 'completions', 'successes', 'xp_earned', 'time_spent_seconds'] as const;

export interface DaySums {
  readonly rows: number;
  /** In the order of `comparedSums`, as decimal strings. */
  readonly sums: readonly string[];
}

export interface StoredEvents {
  readonly events: number;
  readonly hashes: string;
  /** True if some are of learners who are opted out, returning, or being erased. */
  readonly hasUnsettled: boolean;
  readonly hasHidden: boolean;
  readonly all: readonly string[];
  /** Without quests, as in the datasets by content. */
  readonly ofContents: readonly string[];
  /** The same two without unsettled learners. */
  readonly settled: readonly string[];
  readonly settledOfContents: readonly string[];
}

export interface ReadOptions {
  readonly records: BrandRecords;
  /** Learners whose rows show whether an aggregation has counted them. */
  readonly unsettled: readonly number[];
}

/** Reads the published first layers of a dataset: those have the sums of the days. */
export async function readStoredDays(
  clickHouse: ClickHouse,
  brandId: number,
  dataset: DatasetName,
  { records: { layers, hiddenLearnerIds }, unsettled }: ReadOptions,
): Promise<ReadonlyMap<Day, DaySums>> {
  const published = pairsOf(layers.get(dataset) ?? new Map(), () => true, 'first');
  if (published === null) return new Map();
  const hasLearners = dataset === 'users' || dataset === 'content_engagement';
  const summed = hasLearners
    ? `user_id not in ${listOf(unsettled)}`
    : dataset === 'daily'
      ? 'market_id = 0'
      : 'true';
  const shown = notHidden(shapes[dataset], hiddenLearnerIds);
  const rows = await clickHouse.rows(
    `select day, count() as rows, ${comparedSums.map((column) => `sumIf(${column}, ${summed}) as s_${column}`).join(', ')}
     from ${dataset} where brand_id = ${integer(brandId)} and ${published}${shown} group by day order by day`,
  );
  return new Map(
    rows.map(([day, count, ...sums]) => [dayOfNumber(Number(day)), { rows: Number(count), sums }]),
  );
}

/** Reads the committed events by day. Their ids are compared with the claims by number and by a sum over hashes. */
export async function readStoredEvents(
  clickHouse: ClickHouse,
  brandId: number,
  { records: { isCommitted, hiddenLearnerIds }, unsettled }: ReadOptions,
): Promise<ReadonlyMap<Day, StoredEvents>> {
  const settled = `user_id not in ${listOf(unsettled)}`;
  const ofContents = `content_type != 'quest'`;
  const rows = await clickHouse.rows(
    `select day, count() as events,
       toString(sum(toUInt64(reinterpretAsUInt32(reverse(substring(MD5(event_id), 1, 4)))))) as hashes,
       countIf(not (${settled})) > 0 as has_unsettled, countIf(user_id in ${listOf(hiddenLearnerIds)}) > 0 as has_hidden,
       ${sumsOf('true')}, ${sumsOf(ofContents)}, ${sumsOf(settled)}, ${sumsOf(`${settled} and ${ofContents}`)}
     from learning_events where brand_id = ${integer(brandId)} and ${isCommitted} group by day order by day`,
  );
  const width = comparedSums.length;
  return new Map(
    rows.map(([day, events, hashes = '', hasUnsettled, hasHidden, ...sums]) => [
      dayOfNumber(Number(day)),
      {
        events: Number(events),
        hashes,
        hasUnsettled: hasUnsettled === '1',
        hasHidden: hasHidden === '1',
        all: sums.slice(0, width),
        ofContents: sums.slice(width, 2 * width),
        settled: sums.slice(2 * width, 3 * width),
        settledOfContents: sums.slice(3 * width),
      },
    ]),
  );
}

function sumsOf(condition: string): string {
  return [
    ...['view', 'completion', 'success'].map((kind) => `countIf(kind = '${kind}' and ${condition})`),
    `sumIf(xp_earned, ${condition})`,
    `sumIf(time_spent_seconds, ${condition})`,
  ].join(', ');
}
