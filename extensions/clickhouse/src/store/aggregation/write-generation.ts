import { type Day, dayOfNumber, daysOf } from '../../../../../server/src/analytics/day.ts';
import {
  type DatasetName,
  datasetNames,
  type RowCounts,
} from '../../../../../server/src/analytics/store/datasets.ts';
import {
  type AggregationFacts,
  AggregationTooLong,
  type Replacement as AskedReplacement,
  type ReplacedDays,
} from '../../../../../server/src/analytics/store/engine.ts';
import type { Database } from '../../../../../server/src/postgres/database.ts';
import type { Transaction } from '../../../../../server/src/postgres/transaction.ts';
import { withHeartbeat } from '../beats.ts';
import type { ClickHouse } from '../clickhouse.ts';
import { isClickHouseTimeout } from '../clickhouse-trouble.ts';
import { committedBatches } from '../coordination/batch-store.ts';
import { markForTotals } from '../coordination/due-totals-store.ts';
import { listHiddenLearners } from '../coordination/hidden-learner-store.ts';
import {
  beginGeneration,
  endGeneration,
  listLayers,
  publishDays,
  publishOverlay,
} from '../coordination/layer-store.ts';
import { shapes } from '../dataset-shape.ts';
import { takeTotals } from './earlier-sums.ts';
import { type CountedEvents, counted, freshRows } from './fresh-rows.ts';
import { correctLater, countRows, type Replacement, writeDays } from './replacement-statements.ts';

interface Databases {
  /** Commits the beginning of a generation while the transaction holds the lock. */
  readonly writes: Database;
  readonly clickHouse: ClickHouse;
}

/** The rows that one dataset has now: of each day of the range, and the later days with corrected totals. */
interface Written {
  readonly rows: ReadonlyMap<Day, number>;
  readonly corrected: readonly Day[];
}

/**
 * See `AnalyticsEngine.replaceDays`. Writes the rows under a new generation, which nobody reads, and publishes all of them with
 * the commit of `tx`. If the lock is lost, so is the transaction, and nothing is published.
 */
export async function replaceDays(
  tx: Transaction,
  brandId: number,
  { range, facts, hasLaterDays, endsAt }: AskedReplacement,
  { writes, clickHouse }: Databases,
): Promise<ReplacedDays> {
  const hidden = await listHiddenLearners(tx, brandId);
  const events: CountedEvents = {
    brandId,
    range,
    isCommitted: await committedBatches(tx, brandId, range),
    excludedLearnerIds: [...facts.excludedLearnerIds, ...hidden],
  };
  const generation = await writes.transaction((attempt) => beginGeneration(attempt, brandId));

  const written = new Map<DatasetName, Written>();
  for (const dataset of datasetNames) {
    const layers = await listLayers(tx, brandId, dataset);
    const totals = await takeTotals(tx, clickHouse, {
      brandId,
      dataset,
      from: range.from,
      hiddenLearnerIds: hidden,
    });
    const replacement = { brandId, range, generation, layers, totals, hiddenLearnerIds: hidden };
    const work = { tx, dataset, replacement, events, facts, hasLaterDays, endsAt };
    written.set(dataset, await writeDataset(clickHouse, work));
  }
  for (const [dataset, { rows, corrected }] of written) {
    await publishDays(tx, brandId, { dataset, generation }, { range, days: [...rows.keys()] });
    await publishOverlay(tx, brandId, { dataset, generation }, corrected);
  }
  await endGeneration(tx, brandId, generation);
  await markForTotals(tx, brandId);
  return {
    rows: new Map(daysOf(range).map((day) => [day, rowsOf(day, written)])),
    corrected: Object.fromEntries([...written].map(([dataset, { corrected }]) => [dataset, corrected])),
  };
}

function rowsOf(day: Day, written: ReadonlyMap<DatasetName, Written>): RowCounts {
  const rows = datasetNames.map((name) => [name, written.get(name)?.rows.get(day) ?? 0]);
  return Object.fromEntries(rows) as Record<DatasetName, number>;
}

interface DatasetWork {
  readonly tx: Transaction;
  readonly dataset: DatasetName;
  readonly replacement: Replacement;
  readonly events: CountedEvents;
  readonly facts: AggregationFacts;
  readonly hasLaterDays: boolean;
  /** A time of `performance.now()`; null: no limit. */
  readonly endsAt: number | null;
}

async function writeDataset(
  clickHouse: ClickHouse,
  { tx, dataset, replacement, events, facts, hasLaterDays, endsAt }: DatasetWork,
): Promise<Written> {
  const shape = shapes[dataset];
  const inTime = async <T>(
    work: (limitMs: number | undefined, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const limitMs = endsAt === null ? undefined : Math.ceil(endsAt - performance.now());
    if (limitMs !== undefined && limitMs <= 0) throw new AggregationTooLong();
    try {
      return await withHeartbeat(tx, (signal) => work(limitMs, signal));
    } catch (error) {
      if (endsAt !== null && (performance.now() >= endsAt - 50 || isClickHouseTimeout(error)))
        throw new AggregationTooLong();
      throw error;
    }
  };
  const run = (text: string) => inTime((limitMs, signal) => clickHouse.run(text, { limitMs, signal }));
  const daysWithRows = async (where: 'range' | 'later') => {
    const text = countRows(shape, replacement, where);
    const rows = await inTime((limitMs, signal) => clickHouse.rows(text, { limitMs, signal }));
    return new Map(rows.map(([day, count]) => [dayOfNumber(Number(day)), Number(count)]));
  };
  await run(writeDays(shape, replacement, freshRows(dataset, events, facts), freshKeys(dataset, events)));
  const rows = await daysWithRows('range');
  const correction = hasLaterDays ? correctLater(shape, replacement) : null;
  if (correction === null) return { rows, corrected: [] };
  await run(correction);
  return { rows, corrected: [...(await daysWithRows('later')).keys()] };
}

/** A select of the keys of the new rows, where a brand can have millions of keys. */
function freshKeys(dataset: DatasetName, events: CountedEvents): string | null {
  if (dataset === 'users') return `select distinct user_id ${counted(events)}`;
  if (dataset === 'content_engagement')
    return `select distinct user_id, content_ref_id ${counted(events)} and content_type != 'quest'`;
  return null;
}
