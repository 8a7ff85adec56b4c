import type { Day, DayRange } from '../day.ts';

/** The dataset names in `/status` [analytics-4]. */
export const datasetNames = ['daily', 'contents', 'users', 'content_engagement'] as const;
export type DatasetName = (typeof datasetNames)[number];

export type RowCounts = Readonly<Record<DatasetName, number>>;

export interface LiveContent {
  readonly episodes: number;
  readonly programs: number;
  readonly quests: number;
  readonly products: number;
}

/** The state of a dataset's days in a window, all of it at one moment. */
export interface WindowState {
  /** The greatest revision of the window's days; 0 without one. It grows with each change of one of them. */
  readonly revision: number;
  /** The last aggregated day of the dataset, in the window or not; null before the first. */
  readonly latestDay: Day | null;
  /** Differs between any two states whose rows could differ, also after a restore or move, when revisions repeat. */
  readonly version: string;
}

export interface DatasetPage<Row> {
  readonly rows: readonly Row[];
  readonly window: WindowState;
}

/** The mean of values is stored as their exact sum and count, so that days can be added and subtracted. */
export interface Mean {
  /** An exact decimal number as a string. */
  readonly sum: string;
  readonly count: number;
}

export interface Counts {
  readonly views: number;
  readonly completions: number;
  readonly successes: number;
}

export const countedTypes = ['episode', 'program', 'quest'] as const;
export type CountedType = (typeof countedTypes)[number];

export interface TypeFigures extends Counts {
  readonly timeSpentSeconds: number;
  readonly progress: Mean;
  readonly score: Mean;
}

export interface DailyRow {
  readonly day: Day;
  /** null: the brand. */
  readonly marketId: number | null;
  readonly liveContent: LiveContent;
  readonly activeLearners: number;
  readonly totals: Counts & { readonly xpEarned: number; readonly timeSpentSeconds: number };
  readonly types: Readonly<Record<CountedType, TypeFigures>>;
  readonly cumulative: Counts & { readonly xpEarned: number };
}

export interface DailyQuery {
  readonly range: DayRange;
  /** `brand`: only brand-level rows; otherwise only rows of these markets. */
  readonly of: 'brand' | { readonly marketIds: readonly number[] };
}

export interface ContentKey {
  readonly contentRefId: number;
  readonly day: Day;
}

export interface ContentRow extends ContentKey, Counts {
  readonly uniqueViews: number;
  readonly activeLearners: number;
  readonly totalLearners: number;
  readonly xpEarned: number;
  readonly timeSpentSeconds: number;
  readonly questions: number;
  readonly score: Mean;
  readonly cumulative: Counts & { readonly progress: Mean; readonly score: Mean };
}

export interface ContentQuery {
  readonly range: DayRange;
  readonly contentType?: string;
  readonly contentRefId?: number;
}

export interface LearnerDayKey {
  readonly learnerId: number;
  readonly day: Day;
}

export type CountsByType = Counts & Readonly<Record<CountedType, Counts>>;

export interface LearnerDayRow extends LearnerDayKey, CountsByType {
  readonly xpEarned: number;
  readonly timeSpentSeconds: number;
  readonly score: Mean;
  readonly cumulative: CountsByType;
}

export interface LearnerDayQuery {
  readonly range: DayRange;
  readonly learnerId?: number;
}

export type ContentEngagementKey = ContentKey & LearnerDayKey;

export interface ContentEngagementRow extends ContentEngagementKey {
  readonly views: number;
  readonly xpEarned: number;
  readonly timeSpentSeconds: number;
  readonly isCompleted: boolean;
  readonly isSuccessful: boolean;
  readonly questions: number;
  readonly answered: number;
  readonly score: Mean;
  readonly cumulative: {
    readonly views: number;
    readonly xpEarned: number;
    readonly timeSpentSeconds: number;
    readonly score: Mean;
  };
}

export interface ContentEngagementQuery extends ContentQuery, LearnerDayQuery {
  /** Only rows with this `isCompleted`. */
  readonly isCompleted?: boolean;
}
