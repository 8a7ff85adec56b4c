import type { AnalyticsStore } from '../analytics-store.ts';
import { answerInTime, type OnAway, whenAvailable } from '../store-availability.ts';
import { listDatasetDays, listLags } from './dataset-day-queries.ts';
import { listAggregatedDays, listDueDays, readWindowProgress } from './day-queries.ts';
import { findKeptSince } from './event-retention-store.ts';
import { readDatasets } from './read-datasets.ts';
import { closeStoreDatabases, type StoreDatabases, storeUses } from './store-databases.ts';
import { readWindow } from './window-state.ts';

export type Coordination = Pick<
  AnalyticsStore,
  | 'readProgress'
  | 'listDueDays'
  | 'findFirstDayWithEvents'
  | 'listAggregatedDays'
  | 'listDatasetDays'
  | 'listLags'
  | 'readDatasets'
  | 'readWindow'
  | 'uses'
  | 'close'
>;

/**
 * The transactional part of every store, always in PostgreSQL: claims of event ids, marks of days, the lock of a brand's
 * datasets, revisions. Events and rows may be in another engine [D192].
 */
export function createCoordination(databases: StoreDatabases, onAway: OnAway): Coordination {
  const { reads, jobs } = databases;
  return {
    readProgress: (brandId, window, since) =>
      whenAvailable(onAway, () => readWindowProgress(jobs, brandId, window, since)),
    listDueDays: (brandId, yesterday) => whenAvailable(onAway, () => listDueDays(jobs, brandId, yesterday)),
    findFirstDayWithEvents: () => answerInTime(onAway, () => findKeptSince(reads)),
    listAggregatedDays: (brandId, page) =>
      answerInTime(onAway, () => listAggregatedDays(reads.forBrand(brandId), brandId, page)),
    listDatasetDays: (brandId, range) =>
      answerInTime(onAway, () => listDatasetDays(reads.forBrand(brandId), brandId, range)),
    listLags: (brandIds, page) => answerInTime(onAway, () => listLags(reads, brandIds, page)),
    readDatasets: (brandId, since, limit) =>
      answerInTime(onAway, () => readDatasets(reads.forBrand(brandId), brandId, since, limit)),
    readWindow: (brandId, dataset, range) =>
      answerInTime(onAway, () => readWindow(reads.forBrand(brandId), brandId, dataset, range)),
    uses: () => storeUses(databases),
    close: (limitMs) => closeStoreDatabases(databases, limitMs),
  };
}
