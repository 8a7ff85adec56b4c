import {
  type Day,
  type DayRange,
  dayNumberOf,
  dayOfNumber,
  daysOf,
} from '../../../../server/src/analytics/day.ts';
import {
  countedTypes,
  type DatasetName,
  type DatasetShape,
  datasetNames,
  ofDatasets,
  shapeOf,
} from '../../../../server/src/analytics/store/datasets.ts';
import {
  AggregationTooLong,
  type DirectoryAtAggregation,
  type ReplacedDays,
  type Replacement,
} from '../../../../server/src/analytics/store/engine.ts';
import type { Database } from '../../../../server/src/postgres/database.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { type ClickHouse, isClickHouseTimeout, type RunOptions, withHeartbeat } from './clickhouse.ts';
import { committedBatches } from './events.ts';
import { type HiddenLearner, listHidden, notHidden, withoutHidden } from './hidden-learner-store.ts';
import {
  beginGeneration,
  listPublished,
  type Published,
  publishedOf,
  publishGeneration,
} from './published-store.ts';
import { columnsOf, groupedOnDisk, integer, listOf, monthOf, monthOfColumn, within } from './schema.ts';

/** The events that an aggregation counts. */
interface CountedEvents {
  readonly brandId: number;
  readonly range: DayRange;
  /** A condition: the event belongs to a committed batch. */
  readonly isCommitted: string;
  readonly hidden: readonly HiddenLearner[];
  readonly excludedLearnerIds: readonly number[];
}

/** Expressions over a group of events, in exact integers and decimals. */
const figures: Readonly<Record<string, (also: string) => string>> = {
  active_users: () => 'uniqExact(user_id)',
  unique_views: () => `uniqExactIf(user_id, kind = 'view')`,
  views: (also) => `countIf(kind = 'view'${also})`,
  completions: (also) => `countIf(kind = 'completion'${also})`,
  successes: (also) => `countIf(kind = 'success'${also})`,
  xp_earned: (also) => `sumIf(xp_earned, 1${also})`,
  time_spent_seconds: (also) => `sumIf(time_spent_seconds, 1${also})`,
  progress_sum: (also) => `sumIf(assumeNotNull(progress), isNotNull(progress) and kind = 'view'${also})`,
  progress_count: (also) => `countIf(isNotNull(progress) and kind = 'view'${also})`,
  score_sum: (also) => `sumIf(assumeNotNull(score), isNotNull(score) and kind = 'quiz'${also})`,
  score_count: (also) => `countIf(isNotNull(score) and kind = 'quiz'${also})`,
  questions: (also) => `sumIf(assumeNotNull(questions), isNotNull(questions)${also})`,
  answered: (also) => `sumIf(assumeNotNull(answered), isNotNull(answered)${also})`,
};

/** The expressions of a dataset's sums, such as `views` and, of one content type, `episode_views`. */
function sumsOf({ sums }: DatasetShape): string {
  return sums
    .map((column) => {
      const type = countedTypes.find((each) => column.startsWith(`${each}_`));
      const figure = figures[type === undefined ? column : column.slice(type.length + 1)];
      return `${figure?.(type === undefined ? '' : ` and content_type = '${type}'`)} as ${column}`;
    })
    .join(', ');
}

/** A condition on the table of events. */
function counted({ brandId, range, isCommitted, hidden, excludedLearnerIds }: CountedEvents): string {
  const excluded = excludedLearnerIds.length === 0 ? '' : ` and user_id not in ${listOf(excludedLearnerIds)}`;
  return `from learning_events where brand_id = ${integer(brandId)} and ${within(range)} and ${isCommitted}${withoutHidden(hidden)}${excluded}`;
}

/** A select of the new rows of a dataset: day, keys, attributes and sums. */
function freshRows(dataset: DatasetName, events: CountedEvents, directory: DirectoryAtAggregation): string {
  if (dataset === 'daily') return freshDaily(events, directory);
  const shape = shapeOf(dataset);
  const attributes = shape.attributes.map((column) =>
    column === 'total_users'
      ? `toInt64(${integer(directory.totalLearners)}) as total_users, `
      : `min(${column}) as ${column}, `,
  );
  const keys = ['day', ...shape.keys].join(', ');
  const ofContents = shape.keys.includes('content_ref_id') ? ` and content_type != 'quest'` : '';
  return `select ${keys}, ${attributes.join('')}${sumsOf(shape)} ${counted(events)}${ofContents} group by ${keys}`;
}

/** Every day has a row for the brand (market 0) and for each of its markets. */
function freshDaily(events: CountedEvents, { marketIds, liveContent }: DirectoryAtAggregation): string {
  const { from, to } = events.range;
  const { episodes, programs, quests, products } = liveContent;
  const columns = shapeOf('daily').sums;
  return `select d.day as day, d.market_id as market_id, toInt64(${integer(episodes)}) as live_episodes,
      toInt64(${integer(programs)}) as live_programs, toInt64(${integer(quests)}) as live_quests,
      toInt64(${integer(products)}) as live_products, ${columns.map((column) => `g.${column} as ${column}`).join(', ')}
    from (
      select arrayJoin(arrayMap(n -> toInt32(n), range(${dayNumberOf(from)}, ${dayNumberOf(to) + 1}))) as day,
        toInt64(arrayJoin([${[0, ...marketIds].map(integer).join(', ')}])) as market_id
    ) d
    left join (
      select day, toInt64(arrayJoin(if(isNull(market_id), [0], [0, assumeNotNull(market_id)]))) as market,
        ${sumsOf(shapeOf('daily'))} ${counted(events)} group by day, market
    ) g on g.day = d.day and g.market = d.market_id`;
}

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
    const { keys, attributes, sums } = shapeOf(dataset);
    const values = [...keys, ...attributes, ...sums].map((column) => `f.${column}`).join(', ');
    await inTime((options) =>
      clickHouse.run(
        `insert into ${dataset} (${columnsOf(shapeOf(dataset)).join(', ')})
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
  return ofDatasets(() => 0);
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
  const { keys, cumulated } = shapeOf(dataset);
  const ofBrand = `brand_id = ${integer(brandId)}${notHidden(shapeOf(dataset), hidden)}`;
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
