import type { DatabaseAddress } from '../../../postgres/connection-options.ts';
import type { AnalyticsStore } from '../analytics-store.ts';
import { rebuildDays } from './aggregation/rebuild-days.ts';
import { boundedTransaction } from './bounded-transaction.ts';
import { listDatasetDays, listLags } from './dataset-day-queries.ts';
import { listContents } from './datasets/list-content-days.ts';
import { listContentEngagement } from './datasets/list-content-engagement.ts';
import { listDaily } from './datasets/list-daily.ts';
import { listLearnerDays } from './datasets/list-learner-days.ts';
import { readWindow } from './datasets/window-state.ts';
import { listAggregatedDays, listDueDays } from './day-queries.ts';
import { dropEvents } from './drop-events.ts';
import { findKeptSince, makeEventPartition, monthsAhead } from './event-partition-store.ts';
import { appendEvents, eraseLearner } from './event-store.ts';
import { markDaysWithout } from './mark-days-without.ts';
import { moveDays } from './move-days.ts';
import { readDatasets } from './read-datasets.ts';
import { readLearnerActivity } from './read-learner-activity.ts';
import { readStoreFigures } from './read-store-figures.ts';
import { readWindowProgress } from './read-window-progress-store.ts';
import { answerInTime, type OnAway, whenAvailable } from './store-availability.ts';
import { closeStoreDatabases, openStoreDatabases, storeUses } from './store-databases.ts';

export interface PostgresAnalyticsStoreOptions {
  readonly address: DatabaseAddress;
  /** Called with the reason each time the store becomes unavailable. */
  readonly onAway?: OnAway;
}

/**
 * The analytics store in PostgreSQL, schema `analytics`. It connects on first use, so it may be unavailable
 * at startup. The caller runs the schema's migrations; until then, the store counts as unavailable.
 */
export function createPostgresAnalyticsStore({
  address,
  onAway = () => {},
}: PostgresAnalyticsStoreOptions): AnalyticsStore {
  const databases = openStoreDatabases(address, (error) => onAway(error.message));
  const { reads, writes, jobs } = databases;

  return {
    appendEvents: (brandId, events) =>
      whenAvailable(onAway, () =>
        writes.forBrand(brandId).transaction((tx) => appendEvents(tx, brandId, events)),
      ),
    eraseLearner: (brandId, learnerId, options) =>
      whenAvailable(onAway, () =>
        writes.forBrand(brandId).transaction((tx) => eraseLearner(tx, brandId, learnerId, options)),
      ),

    aggregate: (brandId, range, readFacts, options) =>
      whenAvailable(onAway, () =>
        jobs.forBrand(brandId).transaction((tx) => {
          const { limitMs } = options;
          const bounded = limitMs === undefined ? tx : boundedTransaction(tx, limitMs);
          return rebuildDays(bounded, brandId, range, { ...options, readFacts });
        }),
      ),
    readProgress: (brandId, window, since) =>
      whenAvailable(onAway, () => readWindowProgress(jobs, brandId, window, since)),
    listDueDays: (brandId, yesterday) => whenAvailable(onAway, () => listDueDays(jobs, brandId, yesterday)),
    markDaysWithout: (brandId, learnerIds, whenBusy) =>
      whenAvailable(onAway, () =>
        jobs.forBrand(brandId).transaction((tx) => markDaysWithout(tx, brandId, learnerIds, whenBusy)),
      ),

    moveDays: (brandId, subjects, options) =>
      whenAvailable(onAway, () =>
        jobs.forBrand(brandId).transaction((tx) => moveDays(tx, brandId, subjects, options)),
      ),

    findFirstDayWithEvents: () => answerInTime(onAway, () => findKeptSince(reads)),
    listAggregatedDays: (brandId, page) =>
      answerInTime(onAway, () => listAggregatedDays(reads.forBrand(brandId), brandId, page)),
    readLearnerActivity: (brandId, learnerId) =>
      answerInTime(onAway, () => readLearnerActivity(reads.forBrand(brandId), brandId, learnerId)),
    listDatasetDays: (brandId, range) =>
      answerInTime(onAway, () => listDatasetDays(reads.forBrand(brandId), brandId, range)),
    listLags: (brandIds, page) => answerInTime(onAway, () => listLags(reads, brandIds, page)),
    readDatasets: (brandId, since, limit) =>
      answerInTime(onAway, () => readDatasets(reads.forBrand(brandId), brandId, since, limit)),
    readWindow: (brandId, dataset, range) =>
      answerInTime(onAway, () => readWindow(reads.forBrand(brandId), brandId, dataset, range)),
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

    dropEvents: (before, signal) => whenAvailable(onAway, () => dropEvents(jobs, before, signal)),
    makePartitionsAhead: (today) =>
      whenAvailable(onAway, async () => {
        const made: string[] = [];
        for (const day of monthsAhead(today))
          if (await jobs.transaction((tx) => makeEventPartition(tx, day))) made.push(day.slice(0, 7));
        return { made };
      }),
    readFigures: () => answerInTime(onAway, () => readStoreFigures(reads)),
    uses: () => storeUses(databases),
    close: (limitMs) => closeStoreDatabases(databases, limitMs),
  };
}
