import type { Day } from '../day.ts';

/** The dataset names in `/status` [analytics-4]. */
export const datasetNames = ['daily', 'contents', 'users', 'content_engagement'] as const;
export type DatasetName = (typeof datasetNames)[number];

export type RowCounts = Readonly<Record<DatasetName, number>>;

/** Read at aggregation time [analytics-34]. */
export interface AggregationFacts {
  readonly marketIds: readonly number[];
  readonly excludedLearnerIds: readonly number[];
  readonly totalLearners: number;
  readonly liveContent: LiveContent;
}

export interface LiveContent {
  readonly episodes: number;
  readonly programs: number;
  readonly quests: number;
  readonly products: number;
}

export interface AggregationOptions {
  readonly at: Date;
  readonly whenBusy: 'wait' | 'skip';
  /** The time limit in milliseconds, waiting included. If it is exceeded, nothing is changed. */
  readonly limitMs?: number;
}

export class AggregationTooLong extends Error {
  constructor() {
    super('aggregation timed out');
  }
}

export interface WindowProgress extends AggregationResult {
  /** The first remaining day; null if none remains. */
  readonly nextDay: Day | null;
}

export interface AggregationResult {
  /** The aggregated days: those of the range whose raw events are still stored. */
  readonly days: number;
  readonly rows: RowCounts;
}

export interface DayRecord {
  readonly day: Day;
  readonly aggregatedAt: Date;
  readonly rows: RowCounts;
  /** True if events have arrived that the aggregation did not include. */
  readonly isDirty: boolean;
}

export interface DatasetDay {
  readonly day: Day;
  /** null before the first aggregation. */
  readonly aggregatedAt: Date | null;
  /** The rows of each dataset; null before the first aggregation. */
  readonly rows: RowCounts | null;
  /** True if events have arrived that the aggregation did not include, or rows of a learner are missing. */
  readonly isDirty: boolean;
  /** Events that the aggregation did not include, since the store counts them. */
  readonly lateEvents: number;
  /** The last revision of each dataset; null before the first aggregation. */
  readonly revisions: RowCounts | null;
  readonly refreshedAt: Date | null;
  /** True if the raw events were dropped after the retention period. */
  readonly isDropped: boolean;
}

/** A page of brands, and the days that count. */
export interface LagPage {
  readonly size: number;
  readonly offset: number;
  /** The last day that counts as dirty; default: no end, so that today counts while it receives events. */
  readonly dirtyUntil?: Day;
}

export interface BrandLag {
  readonly brandId: number;
  /** The last aggregated day; null: none. */
  readonly latestDay: Day | null;
  readonly dirtyDays: number;
}

/** The days on which a learner was active, excluded or not. */
export interface LearnerActivity {
  /** The first day with raw events or rows of the learner; null: none. */
  readonly firstDay: Day | null;
  readonly lastDay: Day | null;
  /** The days whose last aggregation has counted the learner, ascending. */
  readonly aggregatedDays: readonly Day[];
}
