import type { Day, DayRange } from '../day.ts';
import type {
  AggregationFacts,
  AggregationOptions,
  AggregationResult,
  BrandLag,
  DatasetDay,
  DatasetName,
  DayRecord,
  LagPage,
  LearnerActivity,
  WindowProgress,
} from './aggregation-types.ts';
import type {
  DatasetStates,
  DirectorySubjects,
  MovedDays,
  MoveOptions,
  SinceRevisions,
  WindowState,
} from './dataset-changes.ts';
import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
  ContentKey,
  ContentQuery,
  ContentRow,
  DailyQuery,
  DailyRow,
  DatasetPage,
  LearnerDayKey,
  LearnerDayQuery,
  LearnerDayRow,
} from './dataset-rows.ts';
import type { AppendResult, DroppedEvents, LearningEvent } from './learning-event.ts';

export interface StoreFigures {
  readonly bytes: number;
  /** The last aggregated day of the brand that is furthest behind; null if nothing was ever aggregated. */
  readonly oldestLatestDay: Day | null;
}

export interface StorePoolUse {
  /** A name that does not change, such as `reads`. */
  readonly pool: string;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * The analytics store: raw learning events and the four datasets derived from them. Another engine can implement it [D192];
 * `store/tests/analytics-store-contract.ts` tests one. Sums of fractions are exact decimals in strings. Ids are those of the
 * directory, which the store never queries. Methods reject with `analytics_unavailable` if the store does not respond (queries
 * of endpoints within 2.5 s); every write can be repeated.
 */
export interface AnalyticsStore {
  /** The number of events that `appendEvents` stores best in one call. More are as correct. */
  readonly eventBatchSize: number;

  /**
   * Stores the events whose `eventId` is new to the brand and marks their days: all of it, or none; durable when it resolves. A
   * repeated `eventId` is a duplicate. Any number of calls may run at once, also during an aggregation: the day stays marked
   * unless the aggregation included the events. Omits days whose raw events were dropped.
   */
  appendEvents(brandId: number, events: readonly LearningEvent[]): Promise<AppendResult>;

  /**
   * Erases a learner's raw events and rows of `users` and `content_engagement`, for readers all at once. Waits up to 10 s for a
   * running aggregation. The other datasets keep their values and no day is marked [analytics-32] [D23]. With `movesDays`, the
   * days of the rows get the next revision of their dataset; without, they have moved since the rows were served.
   */
  eraseLearner(
    brandId: number,
    learnerId: number,
    options: { readonly movesDays: boolean; readonly at: Date },
  ): Promise<void>;

  /**
   * (Re)aggregates the days that still have raw events: replaces their rows, corrects later running totals, increments the
   * revisions and clears the marks. Readers see all of it or nothing. One aggregation of a brand runs at a time: the second
   * waits or returns null. `readFacts` is called after the wait, perhaps more than once. Rejects with `AggregationTooLong`
   * after `limitMs` or 10 s later, with nothing changed.
   */
  aggregate(
    brandId: number,
    range: DayRange,
    readFacts: () => Promise<AggregationFacts>,
    options: AggregationOptions,
  ): Promise<AggregationResult | null>;

  /**
   * Returns the progress of an aggregation requested at `since`: days with an older one or none remain, unless their raw events
   * were dropped. `days` and `rows` are totals of the finished days.
   */
  readProgress(brandId: number, window: DayRange, since: Date): Promise<WindowProgress>;

  /**
   * Returns the days for a nightly run, ascending: yesterday, days with events that no aggregation has seen, and, for a brand
   * with earlier aggregations, the days missed since. An interrupted run continues with the rest.
   */
  listDueDays(brandId: number, yesterday: Day): Promise<Day[]>;

  /**
   * Marks the aggregated days that have events of one of the learners and do not count them [analytics-31]: all or none, in a
   * constant number of statements; safe to repeat. Call it after the learners count again: an aggregation that begins later
   * counts them. It waits for a running one or, with `skip`, returns false and marks nothing.
   */
  markDaysWithout(
    brandId: number,
    learnerIds: readonly number[],
    whenBusy: AggregationOptions['whenBusy'],
  ): Promise<boolean>;

  /**
   * Gives the days on which the subjects have rows the next revision of their datasets [analytics-45]: all of them or none; can
   * be repeated. Call it after the directory has changed. Returns `moved` with the days added; null if `whenBusy` is `skip` and
   * an aggregation of the brand is running.
   */
  moveDays(brandId: number, subjects: DirectorySubjects, options: MoveOptions): Promise<MovedDays | null>;

  /** Returns the first day, of all brands, that can be aggregated: earlier raw events were dropped; null if none ever were. */
  findFirstDayWithEvents(): Promise<Day | null>;

  /** Newest first. */
  listAggregatedDays(
    brandId: number,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly DayRecord[]; readonly total: number }>;

  /** Returns the days of a learner. Reads the learner's events and days only. */
  readLearnerActivity(brandId: number, learnerId: number): Promise<LearnerActivity>;

  /** Returns every day of the range, newest first, aggregated or not. Read for a range of at most a few years. */
  listDatasetDays(brandId: number, range: DayRange): Promise<readonly DatasetDay[]>;

  /** Returns one page of the given brands, those that are furthest behind first. */
  listLags(brandIds: readonly number[], page: LagPage): Promise<readonly BrandLag[]>;

  /** Includes the days of datasets in `since` that changed after that revision, at most `limit`. All from one snapshot. */
  readDatasets(brandId: number, since: SinceRevisions, limit: number): Promise<DatasetStates>;

  /** The state of the days of a dataset from `range.from` to `range.to`. */
  readWindow(brandId: number, dataset: DatasetName, range: DayRange): Promise<WindowState>;

  /** One page of daily rows by day, then market id, and the number of rows on all pages, from one snapshot. */
  listDaily(
    brandId: number,
    query: DailyQuery,
    page: { readonly size: number; readonly offset: number },
  ): Promise<DatasetPage<DailyRow> & { readonly total: number }>;

  /** Up to `limit` rows after the key, or from the first row without a key, by content and day. */
  listContents(
    brandId: number,
    query: ContentQuery,
    after: ContentKey | null,
    limit: number,
  ): Promise<DatasetPage<ContentRow>>;

  /** Up to `limit` rows after the key, by learner and day. */
  listLearnerDays(
    brandId: number,
    query: LearnerDayQuery,
    after: LearnerDayKey | null,
    limit: number,
  ): Promise<DatasetPage<LearnerDayRow>>;

  /** Up to `limit` rows after the key, by content, day and learner. */
  listContentEngagement(
    brandId: number,
    query: ContentEngagementQuery,
    after: ContentEngagementKey | null,
    limit: number,
  ): Promise<DatasetPage<ContentEngagementRow>>;

  /**
   * Drops raw events of all brands from before the month of `before`: call it until `isDone`. A step is complete or has no
   * effect; calls may run concurrently. A month stays while a day of it, of any brand, is dirty or was never aggregated.
   * Rejects with `EventsInUse` if the events cannot be locked for a minute, and with the reason of `signal`.
   */
  dropEvents(before: Day, signal?: AbortSignal): Promise<DroppedEvents>;

  /**
   * Does the housekeeping, such as partitions for the coming months, and returns what it has done, a phrase each. Changes
   * nothing that other methods return. Safe to repeat and to run concurrently; the store works without it for days.
   */
  upkeep(today: Day): Promise<{ readonly done: readonly string[] }>;

  /** Cheap enough for every minute. */
  readFigures(): Promise<StoreFigures>;

  /** Does not ask the store. */
  uses(): StorePoolUse[];

  /** Closes every connection; aborts running statements after `limitMs`. */
  close(limitMs?: number): Promise<void>;
}
