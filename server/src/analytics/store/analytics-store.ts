import type { Day, DayRange } from '../day.ts';
import type {
  AggregationFacts,
  AggregationOptions,
  AggregationResult,
  DayRecord,
  LatestDays,
  WindowProgress,
} from './aggregation-types.ts';
import type {
  ContentEngagementKey,
  ContentEngagementQuery,
  ContentEngagementRow,
  ContentKey,
  ContentQuery,
  ContentRow,
  DailyQuery,
  DailyRow,
  LearnerDayKey,
  LearnerDayQuery,
  LearnerDayRow,
} from './dataset-rows.ts';
import type { AppendResult, LearningEvent } from './learning-event.ts';

/**
 * The analytics store: raw learning events and the four datasets derived from them. This interface is
 * complete, so that another engine can replace PostgreSQL; `store/analytics-store-contract.ts` is the test of
 * an implementation.
 *
 * Rows have sums and counts; rates are computed in responses. Sums of fractions are exact decimals as
 * strings. Ids are those of the directory in the main database, which the store never queries.
 *
 * Every method rejects with the ApiError `analytics_unavailable` if the store is unavailable, hangs, or is
 * not prepared yet; the queries of the endpoints do so within 2.5 s. In that case nothing has happened or, if
 * the reply to a commit was lost, all of it: every write can be sent again.
 */
export interface AnalyticsStore {
  /**
   * Keeps the events that the brand does not have yet (by `eventId`), and marks their days as changed, in one
   * transaction: when it resolves they are safe. Events that repeat an `eventId` within the call count as duplicates of
   * the first. Any number of calls may run at once, an aggregation too: the day stays marked unless the aggregation saw
   * the events.
   */
  appendEvents(brandId: number, events: readonly LearningEvent[]): Promise<AppendResult>;

  /**
   * Erases a learner: raw events, and rows of the datasets `users` and `content_engagement`, in one transaction. Waits
   * up to 10 s for an aggregation of the brand that is running. The other datasets keep their numbers, and no day is marked for
   * aggregation: a day that is aggregated again loses the learner's part [analytics-32] [D23].
   */
  eraseLearner(brandId: number, learnerId: number): Promise<void>;

  /**
   * (Re)aggregates the days, in one transaction: replaces their rows in all four datasets, corrects every later
   * cumulative figure, moves the revisions, and clears the marks of the changes that it saw. Readers see all of it or
   * nothing. Repeatable; any order of days ends with the same rows. Days whose raw events were dropped after a
   * retention time are left alone.
   * Two aggregations of a brand never run at once: the second waits, or answers null, as `whenBusy` says. `readFacts`
   * is asked when it is this one's turn, so that the facts are no older than the aggregation; perhaps more than once.
   * Rejects with `AggregationTooLong`, and has done nothing, when it takes longer than `limitMs`.
   */
  aggregate(
    brandId: number,
    range: DayRange,
    readFacts: () => Promise<AggregationFacts>,
    options: AggregationOptions,
  ): Promise<AggregationResult | null>;

  /**
   * Returns the progress of an aggregation of a window requested at `since`: days with an older aggregation
   * or none remain, unless their raw events were dropped. `days` and `rows` are totals of the finished days.
   */
  readProgress(brandId: number, window: DayRange, since: Date): Promise<WindowProgress>;

  /**
   * Returns the days up to `yesterday` that a nightly run must aggregate, ascending: yesterday, days with
   * events that no aggregation has seen, and, for a brand with earlier aggregations, the days missed since.
   * Days that are fully aggregated are not included, so the next run continues after an interruption.
   */
  listDueDays(brandId: number, yesterday: Day): Promise<Day[]>;

  /**
   * Marks the aggregated days that have events of one of the learners and do not count them, so that the next nightly
   * run aggregates them again [analytics-31]. Other days keep their state. Call it after the learners count
   * again: an aggregation that begins later counts them, and one that runs is waited for, or, with `skip`, false is
   * returned and nothing is marked. One transaction, a constant number of statements; safe to repeat.
   */
  markDaysWithout(
    brandId: number,
    learnerIds: readonly number[],
    whenBusy: AggregationOptions['whenBusy'],
  ): Promise<boolean>;

  /** The aggregated days, the newest first. */
  listAggregatedDays(
    brandId: number,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly days: readonly DayRecord[]; readonly total: number }>;

  /** The last aggregated day of each dataset. */
  findLatestDays(brandId: number): Promise<LatestDays>;

  /** One page of daily rows by day, then market id, and how many rows there are on all pages; both of one moment. */
  listDaily(
    brandId: number,
    query: DailyQuery,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly DailyRow[]; readonly total: number }>;

  /** Up to `limit` rows after the key (from the first one without it), by content and day. */
  listContents(
    brandId: number,
    query: ContentQuery,
    after: ContentKey | null,
    limit: number,
  ): Promise<readonly ContentRow[]>;

  /** Up to `limit` rows after the key, by learner and day. */
  listLearnerDays(
    brandId: number,
    query: LearnerDayQuery,
    after: LearnerDayKey | null,
    limit: number,
  ): Promise<readonly LearnerDayRow[]>;

  /** Up to `limit` rows after the key, by content, day and learner. */
  listContentEngagement(
    brandId: number,
    query: ContentEngagementQuery,
    after: ContentEngagementKey | null,
    limit: number,
  ): Promise<readonly ContentEngagementRow[]>;

  /** Makes room for the events of the coming months; safe to repeat, and harmless when it was not run. */
  makePartitionsAhead(today: Day): Promise<{ readonly made: readonly string[] }>;

  /** Ends every connection; what is running is cut off after `limitMs`. */
  close(limitMs?: number): Promise<void>;
}
