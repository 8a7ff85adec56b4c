import type { Day } from '../day.ts';

/** Keys as `/status` names them [analytics-4]. */
export const datasetNames = ['daily', 'contents', 'users', 'content_engagement'] as const;
export type DatasetName = (typeof datasetNames)[number];

export type LatestDays = Readonly<Record<DatasetName, Day | null>>;
export type RowCounts = Readonly<Record<DatasetName, number>>;

/** The main database's facts for an aggregation, read at aggregation time [analytics-34]. */
export interface AggregationFacts {
  /** Every market of the brand gets a daily row. */
  readonly marketIds: readonly number[];
  /** Learners who count nowhere. */
  readonly excludedLearnerIds: readonly number[];
  /** Learners of the directory who are not opted out. */
  readonly totalLearners: number;
  readonly liveContent: LiveContent;
}

/** Live contents of the directory by type, and active products of the catalog. */
export interface LiveContent {
  readonly episodes: number;
  readonly programs: number;
  readonly quests: number;
  readonly products: number;
}

export interface AggregationOptions {
  /** Kept as the time of the aggregation. */
  readonly at: Date;
  /** Whether to wait for or skip a brand that another process is aggregating. */
  readonly whenBusy: 'wait' | 'skip';
  /** Milliseconds that it may take, waiting included; nothing is done when it takes longer. */
  readonly limitMs?: number;
}

/** An aggregation took longer than its `limitMs`, and was rolled back. */
export class AggregationTooLong extends Error {
  constructor() {
    super('aggregation timed out');
  }
}

/** Progress of the aggregation of a window. */
export interface WindowProgress extends AggregationResult {
  /** The first day that is left; null when none is. */
  readonly nextDay: Day | null;
}

export interface AggregationResult {
  /** Days that were aggregated: those of the range whose raw events are still kept. */
  readonly days: number;
  /** Rows written. */
  readonly rows: RowCounts;
}

/** The record of an aggregated day. */
export interface DayRecord {
  readonly day: Day;
  readonly aggregatedAt: Date;
  readonly rows: RowCounts;
  /** Whether events arrived that the aggregation did not see. */
  readonly isDirty: boolean;
}
