import type { AnalyticsStore } from '../../../../server/src/analytics/store/analytics-store.ts';
import { createCoordination } from '../../../../server/src/analytics/store/coordination/coordination.ts';
import { readOldestLatestDay } from '../../../../server/src/analytics/store/coordination/day-queries.ts';
import { dropEvents } from '../../../../server/src/analytics/store/coordination/drop-events.ts';
import { markDaysWithout } from '../../../../server/src/analytics/store/coordination/mark-days-without.ts';
import { moveDays } from '../../../../server/src/analytics/store/coordination/move-days.ts';
import { openStoreDatabases } from '../../../../server/src/analytics/store/coordination/store-databases.ts';
import {
  answerInTime,
  type OnAway,
  whenAvailable,
  whenAvailableWithin,
} from '../../../../server/src/analytics/store/store-availability.ts';
import type { DatabaseAddress } from '../../../../server/src/postgres/connection-options.ts';
import { readDatabaseSize } from '../../../../server/src/postgres/database-size.ts';
import type { Transaction } from '../../../../server/src/postgres/transaction.ts';
import { rebuildDays } from './aggregation/write-generation.ts';
import { ClickHouse } from './clickhouse.ts';
import { listDaily } from './datasets/list-daily-rows.ts';
import { listContentEngagement, listContents, listLearnerDays } from './datasets/list-pages.ts';
import { storedEvents } from './dropped-events.ts';
import { appendEvents, eraseLearner } from './event-batches.ts';
import { affectedDays, daysWithout, readLearnerActivity } from './learner-days.ts';
import { prepareClickHouse } from './prepare-clickhouse.ts';
import { keepUp } from './upkeep/keep-up.ts';

export interface ClickHouseAnalyticsStoreOptions {
  /** The PostgreSQL database of the coordination. */
  readonly address: DatabaseAddress;
  /** The address of ClickHouse, with its database, user, password and settings. */
  readonly clickHouseUrl: string;
  /** The rows from which the upkeep writes running totals for an aggregation; 1,000,000 by default. */
  readonly leastTotalRows?: number;
  /** Called with the reason each time the store becomes unavailable. */
  readonly onAway?: OnAway;
}

/** The analytics store in ClickHouse. Its tables are created by `prepare`, which the caller calls after the migrations. */
export interface ClickHouseAnalyticsStore extends AnalyticsStore {
  /** @throws StoreMismatch; ApiError `analytics_unavailable` */
  prepare(): Promise<void>;
}

/** ClickHouse writes a part of its tables for each batch and month, and has to merge them: it wants few and large ones. */
const eventBatchSize = 20_000;

/** Rows that an aggregation adds up in a fraction of a second. */
const defaultLeastTotalRows = 1_000_000;

const readLimits = { answerMs: 2_200, connections: 16 };
/** Less than PostgreSQL allows a transaction to be idle. */
const writeLimits = { answerMs: 20_000, connections: 8 };
const jobLimits = { answerMs: 6 * 3_600_000, connections: 8 };

/**
 * The analytics store with its events and rows in ClickHouse, and its coordination in PostgreSQL [D193]. Connects on first
 * use. Until the migrations have run and `prepare` was called, it counts as unavailable.
 */
export function createClickHouseAnalyticsStore({
  address,
  clickHouseUrl,
  leastTotalRows = defaultLeastTotalRows,
  onAway = () => {},
}: ClickHouseAnalyticsStoreOptions): ClickHouseAnalyticsStore {
  const databases = openStoreDatabases(address, (error) => onAway(error.message));
  const { reads, writes, jobs } = databases;
  const coordination = createCoordination(databases, onAway);
  const [pages, appends, work] = [readLimits, writeLimits, jobLimits].map(
    (limits) => new ClickHouse(clickHouseUrl, limits),
  ) as [ClickHouse, ClickHouse, ClickHouse];
  const inJob = <T>(brandId: number, work: (tx: Transaction) => Promise<T>) =>
    whenAvailable(onAway, () => jobs.forBrand(brandId).transaction(work));
  const pagesOf = (brandId: number) => ({ database: reads.forBrand(brandId), clickHouse: pages });

  return {
    ...coordination,
    eventBatchSize,
    prepare: () => whenAvailable(onAway, () => prepareClickHouse(jobs, work)),

    appendEvents: (brandId, events) =>
      whenAvailable(onAway, () =>
        writes.forBrand(brandId).transaction((tx) => appendEvents(tx, appends, brandId, events)),
      ),
    eraseLearner: (brandId, learnerId, options) =>
      whenAvailable(onAway, () =>
        eraseLearner({ writes: writes.forBrand(brandId), clickHouse: appends }, brandId, learnerId, options),
      ),

    aggregate: (brandId, range, readFacts, options) =>
      whenAvailableWithin(onAway, options.limitMs, () =>
        jobs
          .forBrand(brandId)
          .transaction((tx) =>
            rebuildDays(tx, brandId, range, { ...options, readFacts, writes, clickHouse: work }),
          ),
      ),
    markDaysWithout: (brandId, learnerIds, whenBusy) =>
      inJob(brandId, (tx) =>
        markDaysWithout(tx, brandId, learnerIds, { whenBusy, listDaysWithout: daysWithout(work) }),
      ),
    moveDays: (brandId, subjects, options) =>
      inJob(brandId, (tx) =>
        moveDays(tx, brandId, subjects, { ...options, listAffectedDays: affectedDays(work) }),
      ),

    readLearnerActivity: (brandId, learnerId) =>
      answerInTime(onAway, () => readLearnerActivity(reads.forBrand(brandId), pages, brandId, learnerId)),
    listDaily: (brandId, query, page) =>
      answerInTime(onAway, () => listDaily(pagesOf(brandId), brandId, query, page)),
    listContents: (brandId, query, after, limit) =>
      answerInTime(onAway, () => listContents(pagesOf(brandId), brandId, query, { after, limit })),
    listLearnerDays: (brandId, query, after, limit) =>
      answerInTime(onAway, () => listLearnerDays(pagesOf(brandId), brandId, query, { after, limit })),
    listContentEngagement: (brandId, query, after, limit) =>
      answerInTime(onAway, () => listContentEngagement(pagesOf(brandId), brandId, query, { after, limit })),

    dropEvents: (before, signal) =>
      whenAvailable(onAway, () => dropEvents(jobs, storedEvents(jobs, work), before, signal)),
    upkeep: () => whenAvailable(onAway, () => keepUp({ jobs, writes, clickHouse: work }, leastTotalRows)),
    readFigures: () =>
      answerInTime(onAway, async () => {
        const [bytes, [rowBytes = 0], oldestLatestDay] = await Promise.all([
          readDatabaseSize(reads),
          pages.numbers(
            'select sum(bytes_on_disk) as bytes from system.parts where database = currentDatabase() and active',
          ),
          readOldestLatestDay(reads),
        ]);
        return { bytes: bytes + rowBytes, oldestLatestDay };
      }),
    close: async (limitMs) => {
      await coordination.close(limitMs);
      await Promise.all([pages, appends, work].map((clickHouse) => clickHouse.close()));
    },
  };
}
