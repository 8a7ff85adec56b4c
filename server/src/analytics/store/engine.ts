import type { Queryable } from '../../postgres/database.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Day, DayRange } from '../day.ts';
import type { AggregationFacts, DatasetName, LearnerActivity, RowCounts } from './aggregation-types.ts';
import type { MarkedDay } from './coordination/brand-day-store.ts';
import type { StoreDatabases } from './coordination/store-databases.ts';
import type { DirectorySubjects } from './dataset-changes.ts';
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
import type { LearningEvent } from './learning-event.ts';

/** Up to `limit` rows after a key; null: from the beginning. */
export interface PageAfter<Key> {
  readonly after: Key | null;
  readonly limit: number;
}

/** A range of days to aggregate, whose raw events are kept until the transaction ends. */
export interface Replacement {
  readonly range: DayRange;
  readonly facts: AggregationFacts;
  /** True if the brand has aggregated days after the range, whose running totals depend on the range. */
  readonly hasLaterDays: boolean;
  /** The end of the time, as `performance.now()`; null: no limit. Statements of the transaction are limited already. */
  readonly endsAt: number | null;
}

export interface ReplacedDays {
  /** The rows that the days of the range have now: every day has one of `daily` at least. */
  readonly rows: ReadonlyMap<Day, RowCounts>;
  /** The days after the range whose running totals were corrected. */
  readonly corrected: Readonly<Partial<Record<DatasetName, readonly Day[]>>>;
}

/**
 * The part of the analytics store that an engine outside of PostgreSQL does in its own way [D192]: where events and rows are.
 * Marks, day records, revisions, locks and what the directory moves are PostgreSQL's, for every engine. The store gives each
 * method the PostgreSQL of the brand, limits its time, and turns failures of the engine into `analytics_unavailable`.
 */
export interface AnalyticsEngine {
  /** The number of events that `appendEvents` stores best in one call. Any number is allowed. */
  readonly eventBatchSize: number;

  /** Creates what the engine needs, after the migrations. Safe to repeat. @throws StoreMismatch if the events are elsewhere */
  prepare(): Promise<void>;

  /**
   * Stores the events whose ids are new to the brand, and returns their number by day. No id occurs twice, and no day was
   * dropped. The events count from the commit of `tx` on, or never; any number of calls runs at once.
   */
  appendEvents(
    tx: Transaction,
    brandId: number,
    events: readonly LearningEvent[],
  ): Promise<readonly MarkedDay[]>;

  /**
   * Replaces the rows of the days in all datasets, and corrects later running totals. Readers see all of it from the commit of
   * `tx` on, or nothing. The caller holds the lock of the brand's datasets.
   * @throws AggregationTooLong after `endsAt`
   */
  replaceDays(tx: Transaction, brandId: number, replacement: Replacement): Promise<ReplacedDays>;

  /**
   * Hides a learner's raw events and rows of `users` and `content_engagement` from the commit of `tx` on, and frees the ids of
   * the events. Returns what deletes them after the commit, which can be repeated; null: they are deleted already.
   */
  eraseLearner(tx: Transaction, brandId: number, learnerId: number): Promise<(() => Promise<void>) | null>;

  /** One page of daily rows by day, then market id, and the number of rows on all pages, from one snapshot. */
  listDaily(
    database: Queryable,
    brandId: number,
    query: DailyQuery,
    page: { readonly size: number; readonly offset: number },
  ): Promise<DatasetPage<DailyRow> & { readonly total: number }>;

  /** Rows by content and day. */
  listContents(
    database: Queryable,
    brandId: number,
    query: ContentQuery,
    page: PageAfter<ContentKey>,
  ): Promise<DatasetPage<ContentRow>>;

  /** Rows by learner and day. */
  listLearnerDays(
    database: Queryable,
    brandId: number,
    query: LearnerDayQuery,
    page: PageAfter<LearnerDayKey>,
  ): Promise<DatasetPage<LearnerDayRow>>;

  /** Rows by content, day and learner. */
  listContentEngagement(
    database: Queryable,
    brandId: number,
    query: ContentEngagementQuery,
    page: PageAfter<ContentEngagementKey>,
  ): Promise<DatasetPage<ContentEngagementRow>>;

  /** The days `among` on which the dataset has rows of a subject. The caller holds the lock of the brand's datasets. */
  listAffectedDays(
    tx: Transaction,
    brandId: number,
    subjects: DirectorySubjects,
    days: { readonly dataset: DatasetName; readonly among: readonly Day[] },
  ): Promise<readonly Day[]>;

  /**
   * The aggregated days, raw events kept, on which one of the learners has events but no row of `users`. Every aggregation that
   * counts a learner writes that row, so its absence proves, without clocks, that the last one did not. The caller holds the
   * lock of the brand's datasets.
   */
  listDaysWithout(tx: Transaction, brandId: number, learnerIds: readonly number[]): Promise<readonly Day[]>;

  /** Reads the learner's events and rows only. */
  readLearnerActivity(database: Queryable, brandId: number, learnerId: number): Promise<LearnerActivity>;

  /** Deletes some events of days that are declared dropped, of any brand; returns false if there are none. */
  deleteDroppedEvents(): Promise<boolean>;

  /** The oldest day before `before` that has events of any brand; null if there is none. */
  findOldestEventDay(before: Day): Promise<Day | null>;

  /**
   * The first day that keeps events of the range from being dropped: one with events that the last aggregation did not see or
   * that was never aggregated, or any earlier dirty day; null if there is none.
   */
  findOpenEventDay(range: { readonly from: Day; readonly before: Day }): Promise<Day | null>;

  /**
   * Does the housekeeping, such as partitions for the coming months, and returns what it has done, a phrase each. Changes
   * nothing that other methods return. Safe to repeat and to run concurrently; the store works without it for days.
   */
  upkeep(today: Day): Promise<{ readonly done: readonly string[] }>;

  /** The bytes on disk outside of PostgreSQL. */
  readBytes(): Promise<number>;

  /** Closes every connection to the engine; those to PostgreSQL are the store's. */
  close(): Promise<void>;
}

/** The databases are open until the engine is closed. */
export type CreateEngine = (databases: StoreDatabases) => AnalyticsEngine;
