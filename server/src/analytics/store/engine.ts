import type { Queryable } from '../../postgres/database.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { Day, DayRange } from '../day.ts';
import type { DailyRow, DatasetRow } from './dataset-rows.ts';
import type {
  DailyQuery,
  DatasetName,
  DatasetPage,
  DirectoryKind,
  KeysetDataset,
  KeysetQuery,
  LiveContent,
  RowCounts,
  RowKey,
} from './datasets.ts';
import type { MarkedDay } from './days-store.ts';
import type { StoreDatabases } from './store-databases.ts';

export const eventKinds = ['view', 'completion', 'success', 'quiz'] as const;
export type EventKind = (typeof eventKinds)[number];

/** A raw learning event in the store. Ids are those of the directory in the main database. */
export interface LearningEvent {
  /** Unique per brand. */
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly day: Day;
  readonly kind: EventKind;
  readonly learnerId: number;
  readonly contentRefId: number;
  readonly contentType: string;
  /** Does not change after the event has arrived. */
  readonly marketId: number | null;
  /** 0 to 100 with at most 6 decimal places; only on views. */
  readonly progress: number | null;
  /** 0 to 100 with at most 6 decimal places; on quizzes. */
  readonly score: number | null;
  readonly questions: number | null;
  readonly answered: number | null;
  readonly timeSpentSeconds: number;
  readonly xpEarned: number;
}

/** Read at aggregation time [analytics-34]. */
export interface DirectoryAtAggregation {
  readonly marketIds: readonly number[];
  readonly excludedLearnerIds: readonly number[];
  readonly totalLearners: number;
  readonly liveContent: LiveContent;
}

export class AggregationTooLong extends Error {
  constructor() {
    super('aggregation timed out');
  }
}

/** The days on which a learner was active, excluded or not. */
export interface LearnerActivity {
  /** The first day with raw events or rows of the learner; null: none. */
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  /** The days whose last aggregation has counted the learner, ascending. */
  readonly aggregatedDays: readonly Day[];
}

/** Parts of the directory of one kind, by their ids in the main database. */
export interface DirectorySubjects {
  readonly kind: DirectoryKind;
  readonly ids: readonly number[];
}

/** Up to `limit` rows after a key, which has the fields of the dataset's order; null: from the beginning. */
export interface PageAfter {
  readonly after: RowKey | null;
  readonly limit: number;
}

/** A range of days to aggregate, whose raw events are kept until the transaction ends. */
export interface Replacement {
  readonly range: DayRange;
  readonly directory: DirectoryAtAggregation;
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

/** The raw events and the rows of `users` and `content_engagement` that an erasure took away. */
export interface ErasedCounts {
  readonly events: number;
  readonly rows: number;
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
   * the events. The upkeep may delete them later. Returns how many readers saw before.
   */
  eraseLearner(tx: Transaction, brandId: number, learnerId: number): Promise<ErasedCounts>;

  /** One page of daily rows by day, then market id, and the number of rows on all pages, from one snapshot. */
  listDaily(
    database: Queryable,
    brandId: number,
    query: DailyQuery,
    page: { readonly size: number; readonly offset: number },
  ): Promise<DatasetPage<DailyRow> & { readonly total: number }>;

  /** Rows of a dataset in its order. */
  listRows<Name extends KeysetDataset>(
    database: Queryable,
    brandId: number,
    dataset: Name,
    query: KeysetQuery & PageAfter,
  ): Promise<DatasetPage<DatasetRow<Name>>>;

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
