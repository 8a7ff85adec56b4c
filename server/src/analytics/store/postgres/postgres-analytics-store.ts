import type { DatabaseAddress } from '../../../postgres/connection-options.ts';
import { readDatabaseSize } from '../../../postgres/database-size.ts';
import type { AnalyticsStore } from '../analytics-store.ts';
import { boundedTransaction } from '../coordination/bounded-transaction.ts';
import { createCoordination } from '../coordination/coordination.ts';
import { readOldestLatestDay } from '../coordination/day-queries.ts';
import { dropEvents } from '../coordination/drop-events.ts';
import { markDaysWithout } from '../coordination/mark-days-without.ts';
import { moveDays } from '../coordination/move-days.ts';
import { openStoreDatabases } from '../coordination/store-databases.ts';
import { answerInTime, type OnAway, whenAvailable, whenAvailableWithin } from '../store-availability.ts';
import { listAffectedDays } from './affected-day-store.ts';
import { rebuildDays } from './aggregation/rebuild-days.ts';
import { listDaily } from './datasets/list-daily.ts';
import { listContentEngagement, listContents, listLearnerDays } from './datasets/list-pages.ts';
import { makeEventPartition, monthsAhead, storedEvents } from './drop-events-store.ts';
import { appendEvents, eraseLearner } from './event-store.ts';
import { listDaysWithout, readLearnerActivity } from './learner-day-store.ts';

export interface PostgresAnalyticsStoreOptions {
  readonly address: DatabaseAddress;
  readonly onAway?: OnAway;
}

/** One transaction stores a batch. Larger ones hold their locks for longer. */
const eventBatchSize = 2_000;

/**
 * The analytics store in PostgreSQL. It connects on first use, and counts as unavailable until the caller has run the
 * migrations.
 */
export function createPostgresAnalyticsStore({
  address,
  onAway = () => {},
}: PostgresAnalyticsStoreOptions): AnalyticsStore {
  const databases = openStoreDatabases(address, (error) => onAway(error.message));
  const { reads, writes, jobs } = databases;

  return {
    ...createCoordination(databases, onAway),
    eventBatchSize,

    appendEvents: (brandId, events) =>
      whenAvailable(onAway, () =>
        writes.forBrand(brandId).transaction((tx) => appendEvents(tx, brandId, events)),
      ),
    eraseLearner: (brandId, learnerId, options) =>
      whenAvailable(onAway, () =>
        writes.forBrand(brandId).transaction((tx) => eraseLearner(tx, brandId, learnerId, options)),
      ),

    aggregate: (brandId, range, readFacts, options) =>
      whenAvailableWithin(onAway, options.limitMs, () =>
        jobs.forBrand(brandId).transaction((tx) => {
          const { limitMs } = options;
          const bounded = limitMs === undefined ? tx : boundedTransaction(tx, limitMs);
          return rebuildDays(bounded, brandId, range, { ...options, readFacts });
        }),
      ),
    markDaysWithout: (brandId, learnerIds, whenBusy) =>
      whenAvailable(onAway, () =>
        jobs
          .forBrand(brandId)
          .transaction((tx) => markDaysWithout(tx, brandId, learnerIds, { whenBusy, listDaysWithout })),
      ),
    moveDays: (brandId, subjects, options) =>
      whenAvailable(onAway, () =>
        jobs
          .forBrand(brandId)
          .transaction((tx) => moveDays(tx, brandId, subjects, { ...options, listAffectedDays })),
      ),

    readLearnerActivity: (brandId, learnerId) =>
      answerInTime(onAway, () => readLearnerActivity(reads.forBrand(brandId), brandId, learnerId)),
    listDaily: (brandId, query, page) =>
      answerInTime(onAway, () => listDaily(reads.forBrand(brandId), brandId, query, page)),
    listContents: (brandId, query, after, limit) =>
      answerInTime(onAway, () => listContents(reads.forBrand(brandId), brandId, query, { after, limit })),
    listLearnerDays: (brandId, query, after, limit) =>
      answerInTime(onAway, () => listLearnerDays(reads.forBrand(brandId), brandId, query, { after, limit })),
    listContentEngagement: (brandId, query, after, limit) =>
      answerInTime(onAway, () =>
        listContentEngagement(reads.forBrand(brandId), brandId, query, { after, limit }),
      ),

    dropEvents: (before, signal) =>
      whenAvailable(onAway, () => dropEvents(jobs, storedEvents(jobs), before, signal)),
    upkeep: (today) =>
      whenAvailable(onAway, async () => {
        const done: string[] = [];
        for (const day of monthsAhead(today))
          if (await jobs.transaction((tx) => makeEventPartition(tx, day)))
            done.push(`event partition ${day.slice(0, 7)} created`);
        return { done };
      }),
    readFigures: () =>
      answerInTime(onAway, async () => {
        const [bytes, oldestLatestDay] = await Promise.all([
          readDatabaseSize(reads),
          readOldestLatestDay(reads),
        ]);
        return { bytes, oldestLatestDay };
      }),
  };
}
