import {
  type Day,
  type DayRange,
  dayNumberOf,
  dayOfNumber,
  daysOf,
} from '../../../../server/src/analytics/day.ts';
import {
  type DatasetName,
  datasetNames,
  type RowCounts,
} from '../../../../server/src/analytics/store/datasets.ts';
import type { ReplacedDays, Replacement } from '../../../../server/src/analytics/store/engine.ts';
import { AggregationTooLong } from '../../../../server/src/analytics/store/engine.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { withHeartbeat } from './beats.ts';
import type { ClickHouse, RunOptions } from './clickhouse.ts';
import { isClickHouseTimeout } from './clickhouse-trouble.ts';
import { columnsOf, shapes } from './dataset-shape.ts';
import { committedBatches } from './events.ts';
import { freshRows } from './fresh-rows.ts';
import { type HiddenLearner, listHidden, notHidden } from './hidden-learner-store.ts';
import { groupedOnDisk, integer, monthOf, monthOfColumn, within } from './literals.ts';
import {
  beginGeneration,
  listPublished,
  type Published,
  publishedOf,
  publishGeneration,
} from './published-store.ts';

interface Databases {
  /** Commits the beginning of a generation while the transaction holds the lock. */
  readonly writes: Database;
  readonly clickHouse: ClickHouse;
}

/**
 * See `AnalyticsEngine.replaceDays`. Writes the rows under a new generation, which nobody reads, and publishes all of them with
 * the commit of `tx`. If the lock is lost, so is the transaction, and nothing is published.
 */
export async function replaceDays(
  tx: Transaction,
  brandId: number,
  { range, directory, hasLaterDays, endsAt }: Replacement,
  { writes, clickHouse }: Databases,
): Promise<ReplacedDays> {
  const hidden = await listHidden(tx, brandId);
  const isCommitted = await committedBatches(tx, brandId, range);
  const events = { brandId, range, isCommitted, hidden, excludedLearnerIds: directory.excludedLearnerIds };
  const generation = await writes.transaction((attempt) => beginGeneration(attempt, brandId, range));
  const inTime = <T>(work: (options: RunOptions) => Promise<T>) => endingAt(endsAt, tx, work);
  const rows = new Map<Day, Record<DatasetName, number>>(daysOf(range).map((day) => [day, noRows()]));
  const corrected: Partial<Record<DatasetName, readonly Day[]>> = {};
  for (const dataset of datasetNames) {
    const { keys, attributes, sums } = shapes[dataset];
    const values = [...keys, ...attributes, ...sums].map((column) => `f.${column}`).join(', ');
    await inTime((options) =>
      clickHouse.run(
        `insert into ${dataset} (${columnsOf(shapes[dataset]).join(', ')})
         select ${integer(brandId)}, ${monthOfColumn('f.day', range)}, f.day, ${integer(generation)}, ${values}
         from (${freshRows(dataset, events, directory)}) f`,
        options,
      ),
    );
    const written = await inTime((options) =>
      clickHouse.rows(
        `select day, count() as rows from ${dataset}
         where brand_id = ${integer(brandId)} and ${within(range)} and generation = ${integer(generation)} group by day`,
        options,
      ),
    );
    for (const [day, count] of written) {
      const ofDay = rows.get(dayOfNumber(Number(day)));
      if (ofDay !== undefined) ofDay[dataset] = Number(count);
    }
    if (!hasLaterDays) continue;
    const published = await listPublished(tx, brandId, dataset, { from: range.from });
    const text = correctedDays({ brandId, dataset, range, generation, published, hidden });
    const days = await inTime((options) => clickHouse.numbers(text, options));
    corrected[dataset] = days.map(dayOfNumber);
  }
  await publishGeneration(tx, brandId, generation, range);
  return { rows, corrected };
}

function noRows(): Record<DatasetName, number> {
  return Object.fromEntries(datasetNames.map((name) => [name, 0])) as RowCounts;
}

interface Correction {
  readonly brandId: number;
  readonly dataset: DatasetName;
  readonly range: DayRange;
  readonly generation: number;
  /** Before it is published. */
  readonly published: Published;
  readonly hidden: readonly HiddenLearner[];
}

/** A select of the days after the range that have a row of a key whose sum over the range has changed [analytics-42]. */
function correctedDays({ brandId, dataset, range, generation, published, hidden }: Correction): string {
  const { keys, cumulated } = shapes[dataset];
  const ofBrand = `brand_id = ${integer(brandId)}${notHidden(shapes[dataset], hidden)}`;
  const isNew = `generation = ${integer(generation)}`;
  const isPublished = publishedOf(published) ?? 'false';
  const differs = cumulated.map((column) => `sum(if(${isNew}, ${column}, -${column})) != 0`).join(' or ');
  return `select distinct day from ${dataset}
    where ${ofBrand} and month >= ${monthOf(range.to)} and day > ${dayNumberOf(range.to)} and ${isPublished}
      and (${keys.join(', ')}) in (
        select ${keys.join(', ')} from ${dataset} where ${ofBrand} and ${within(range)} and (${isNew} or ${isPublished})
        group by ${keys.join(', ')} having ${differs}
      )
    order by day ${groupedOnDisk}`;
}

/** Runs a statement of an aggregation. @throws AggregationTooLong when the time is up */
async function endingAt<T>(
  endsAt: number | null,
  tx: Transaction,
  work: (options: RunOptions) => Promise<T>,
): Promise<T> {
  const limitMs = endsAt === null ? undefined : Math.ceil(endsAt - performance.now());
  if (limitMs !== undefined && limitMs <= 0) throw new AggregationTooLong();
  try {
    return await withHeartbeat(tx, (signal) => work({ limitMs, signal }));
  } catch (error) {
    if (endsAt !== null && (performance.now() >= endsAt - 50 || isClickHouseTimeout(error)))
      throw new AggregationTooLong();
    throw error;
  }
}
