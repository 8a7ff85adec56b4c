import type { DatabaseAddress } from '../../postgres/connection-options.ts';
import type { Database } from '../../postgres/database.ts';
import { readDatabaseSize } from '../../postgres/table-statistics.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Day, DayRange } from '../day.ts';
import { aggregate } from './aggregate-store.ts';
import type { KeysetDataset, KeysetQuery } from './datasets.ts';
import { listDayRevisions } from './day-history-store.ts';
import {
  type LagPage,
  listAggregatedDays,
  listDatasetDays,
  listLags,
  readOldestLatestDay,
} from './day-lists-store.ts';
import { type AggregationOptions, listDueDays, readWindowProgress } from './days-store.ts';
import type {
  CreateEngine,
  DirectoryAtAggregation,
  DirectorySubjects,
  LearningEvent,
  PageAfter,
} from './engine.ts';
import { appendEvents, dropEvents, type Erasure, eraseLearner, findKeptSince } from './events-store.ts';
import { postgresEngine } from './postgres/postgres-engine.ts';
import { type MoveOptions, markDaysWithout, moveDays, readDatasets, readWindow } from './revisions-store.ts';
import {
  answerInTime,
  closeStoreDatabases,
  type OnAway,
  openStoreDatabases,
  storeUses,
  whenAvailable,
  whenAvailableWithin,
} from './store-databases.ts';

export interface AnalyticsStoreOptions {
  /** The PostgreSQL database of the store. */
  readonly address: DatabaseAddress;
  /** Where events and rows are; default: in the same database. */
  readonly createEngine?: CreateEngine;
  /** Called with the reason each time the store becomes unavailable. */
  readonly onAway?: OnAway;
}

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>;

/**
 * The analytics store: raw learning events and the datasets derived from them. Connects on first use, and counts as
 * unavailable until the migrations and `prepare` have run. Sums of fractions are exact decimals in strings; ids are those of
 * the directory, which the store never queries. Every method rejects with `analytics_unavailable` if the store does not
 * respond; every write can be repeated. `store/tests/analytics-store-contract.ts` tests it with each engine.
 */
export function createAnalyticsStore({
  address,
  createEngine = postgresEngine,
  onAway = () => {},
}: AnalyticsStoreOptions) {
  const databases = openStoreDatabases(address, (error) => onAway(error.message));
  const { reads, writes, jobs } = databases;
  const engine = createEngine(databases);

  /** A read of an endpoint, which gets its answer or `analytics_unavailable` within 2.5 s [analytics-43]. */
  const read =
    <Rest extends unknown[], T>(ask: (database: Database, brandId: number, ...rest: Rest) => Promise<T>) =>
    (brandId: number, ...rest: Rest): Promise<T> =>
      answerInTime(onAway, () => ask(reads.forBrand(brandId), brandId, ...rest));
  /** A read of a job, which takes the time it needs. */
  const readInJob =
    <Rest extends unknown[], T>(ask: (database: Database, brandId: number, ...rest: Rest) => Promise<T>) =>
    (brandId: number, ...rest: Rest): Promise<T> =>
      whenAvailable(onAway, () => ask(jobs, brandId, ...rest));
  const inJob = <T>(brandId: number, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    whenAvailable(onAway, () => jobs.forBrand(brandId).transaction(work));

  return {
    eventBatchSize: engine.eventBatchSize,
    prepare: () => whenAvailable(onAway, () => engine.prepare()),

    appendEvents: (brandId: number, events: readonly LearningEvent[]) =>
      whenAvailable(onAway, () =>
        writes.forBrand(brandId).transaction((tx) => appendEvents(tx, engine, brandId, events)),
      ),
    eraseLearner: (brandId: number, learnerId: number, options: Omit<Erasure, 'learnerId'>) =>
      whenAvailable(onAway, () =>
        writes
          .forBrand(brandId)
          .transaction((tx) => eraseLearner(tx, engine, brandId, { ...options, learnerId })),
      ),

    /** Rejects with `AggregationTooLong` after `limitMs`, or as unavailable 10 s later, with nothing changed. */
    aggregate: (
      brandId: number,
      range: DayRange,
      readDirectory: () => Promise<DirectoryAtAggregation>,
      options: AggregationOptions,
    ) =>
      whenAvailableWithin(onAway, options.limitMs, () =>
        jobs
          .forBrand(brandId)
          .transaction((tx) => aggregate(tx, engine, brandId, { ...options, range, readDirectory })),
      ),
    markDaysWithout: (
      brandId: number,
      learnerIds: readonly number[],
      whenBusy: AggregationOptions['whenBusy'],
    ) => inJob(brandId, (tx) => markDaysWithout(tx, engine, brandId, { learnerIds, whenBusy })),
    moveDays: (brandId: number, subjects: DirectorySubjects, options: MoveOptions) =>
      inJob(brandId, (tx) => moveDays(tx, engine, brandId, { ...options, subjects })),

    listDueDays: readInJob(listDueDays),
    readProgress: readInJob(readWindowProgress),

    listDaily: read(engine.listDaily),
    listRows: <Name extends KeysetDataset>(brandId: number, dataset: Name, query: KeysetQuery & PageAfter) =>
      read(engine.listRows<Name>)(brandId, dataset, query),
    readLearnerActivity: read(engine.readLearnerActivity),
    readWindow: read(readWindow),
    readDatasets: read(readDatasets),
    listAggregatedDays: read(listAggregatedDays),
    listDatasetDays: read(listDatasetDays),
    listDayRevisions: read(listDayRevisions),
    listLags: (brandIds: readonly number[], page: LagPage) =>
      answerInTime(onAway, () => listLags(reads, brandIds, page)),
    /** The first day, of all brands, that can be aggregated: earlier raw events were dropped; null if none ever were. */
    findFirstDayWithEvents: () => answerInTime(onAway, () => findKeptSince(reads)),

    dropEvents: (before: Day, signal?: AbortSignal) =>
      whenAvailable(onAway, () => dropEvents(jobs, engine, before, signal)),
    upkeep: (today: Day) => whenAvailable(onAway, () => engine.upkeep(today)),

    /** Cheap enough for every minute. `oldestLatestDay`: the last aggregated day of the brand that is furthest behind. */
    readFigures: () =>
      answerInTime(onAway, async () => {
        const [bytes, outside, oldestLatestDay] = await Promise.all([
          readDatabaseSize(reads),
          engine.readBytes(),
          readOldestLatestDay(reads),
        ]);
        return { bytes: bytes + outside, oldestLatestDay };
      }),
    /** Does not ask the store. */
    uses: () => storeUses(databases),
    /** Closes every connection; aborts running statements after `limitMs`. */
    close: async (limitMs?: number): Promise<void> => {
      await closeStoreDatabases(databases, limitMs);
      await engine.close();
    },
  };
}
