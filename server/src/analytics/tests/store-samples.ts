import { randomHex } from '../../lib/ids.ts';
import type { Day, DayRange } from '../day.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import type { DailyRow, DatasetRow } from '../store/dataset-rows.ts';
import type { KeysetDataset, KeysetQuery } from '../store/datasets.ts';
import type { AggregationOptions, AggregationResult } from '../store/days-store.ts';
import type { DirectoryAtAggregation, LearningEvent } from '../store/engine.ts';

/** An event of a day with a unique id; by default, a view of episode 10 by learner 1. */
export function eventOn(day: Day, more: Partial<LearningEvent> = {}): LearningEvent {
  return {
    eventId: randomHex(16),
    occurredAt: new Date(`${day}T10:00:00Z`),
    day,
    kind: 'view',
    learnerId: 1,
    contentRefId: 10,
    contentType: 'episode',
    marketId: null,
    progress: null,
    score: null,
    questions: null,
    answered: null,
    timeSpentSeconds: 0,
    xpEarned: 0,
    ...more,
  };
}

export const emptyDirectory: DirectoryAtAggregation = {
  marketIds: [],
  excludedLearnerIds: [],
  totalLearners: 0,
  liveContent: { episodes: 0, programs: 0, quests: 0, products: 0 },
};

export const waiting: AggregationOptions = { at: new Date('2026-01-20T00:05:00.000Z'), whenBusy: 'wait' };

/** Erases like a request for a learner whose rows are served. */
export const erasing = { movesDays: true, at: waiting.at };

/** Aggregates with a mostly empty directory. */
export async function aggregate(
  store: AnalyticsStore,
  brandId: number,
  range: DayRange,
  directory: Partial<DirectoryAtAggregation> = {},
): Promise<AggregationResult> {
  const result = await store.aggregate(
    brandId,
    range,
    async () => ({ ...emptyDirectory, ...directory }),
    waiting,
  );
  return result as AggregationResult;
}

/** Wide enough for every sample. */
export const allDays: DayRange = { from: '2020-01-01', to: '2029-12-31' };
const everything = 10_000;

export interface AllRows {
  readonly daily: readonly DailyRow[];
  readonly contents: readonly DatasetRow<'contents'>[];
  readonly users: readonly DatasetRow<'users'>[];
  readonly engagement: readonly DatasetRow<'content_engagement'>[];
}

/** All rows of a brand in the store, also those of the given markets. */
export async function readAll(
  store: AnalyticsStore,
  brandId: number,
  marketIds: readonly number[] = [],
): Promise<AllRows> {
  const page = { size: everything, offset: 0 };
  const [brand, markets, contents, users, engagement] = await Promise.all([
    store.listDaily(brandId, { range: allDays, of: 'brand' }, page),
    store.listDaily(brandId, { range: allDays, of: { marketIds } }, page),
    listContents(store, brandId),
    listLearnerDays(store, brandId),
    listEngagement(store, brandId),
  ]);
  return normalised({ daily: [...brand.rows, ...markets.rows], contents, users, engagement });
}

type Asked = Partial<KeysetQuery>;

async function listAll<Name extends KeysetDataset>(
  store: AnalyticsStore,
  brandId: number,
  dataset: Name,
  query: Asked,
): Promise<readonly DatasetRow<Name>[]> {
  const all = { range: allDays, after: null, limit: everything };
  return (await store.listRows(brandId, dataset, { ...all, ...query })).rows;
}

export const listContents = (store: AnalyticsStore, brandId: number, query: Asked = {}) =>
  listAll(store, brandId, 'contents', query);
export const listLearnerDays = (store: AnalyticsStore, brandId: number, query: Asked = {}) =>
  listAll(store, brandId, 'users', query);
export const listEngagement = (store: AnalyticsStore, brandId: number, query: Asked = {}) =>
  listAll(store, brandId, 'content_engagement', query);

/** Removes trailing zeros: the number of zeros at the end of a sum may differ. */
function normalised<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, part) =>
      key === 'sum'
        ? String(part)
            .replace(/(\.\d*?)0+$/, '$1')
            .replace(/\.$/, '')
        : part,
    ),
  );
}
