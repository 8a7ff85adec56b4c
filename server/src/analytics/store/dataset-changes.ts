import type { Day } from '../day.ts';
import type { DatasetName } from './aggregation-types.ts';

/**
 * The causes for which a day changes, strongest first [analytics-45]. `aggregated`: its rows were replaced. `exclusion`: rows
 * of learners were hidden, shown again or erased. `directory`: contents or markets were listed or deleted. `corrected`: running
 * totals were recomputed.
 */
export const changeCauses = ['aggregated', 'exclusion', 'directory', 'corrected'] as const;
export type ChangeCause = (typeof changeCauses)[number];

export interface ChangedDay {
  readonly day: Day;
  readonly revision: number;
  /** The strongest cause since the revision that was asked for. */
  readonly cause: ChangeCause;
}

export interface ChangedDays {
  /** Ascending by day. */
  readonly days: readonly ChangedDay[];
  /** False if there are more days, or if the dataset has not reached the revision that was asked for. */
  readonly isComplete: boolean;
}

/** The state of a dataset of a brand, all of it at one moment. */
export interface DatasetState {
  /** The last aggregated day; null before the first. */
  readonly latestDay: Day | null;
  readonly oldestDay: Day | null;
  /** The revision of the last change; 0 before the first. Ascends in the order of commits. */
  readonly revision: number;
  readonly refreshedAt: Date | null;
  /** The days changed since the revision that was asked for; null if none was. */
  readonly changed: ChangedDays | null;
}

export type DatasetStates = Readonly<Record<DatasetName, DatasetState>>;

export type SinceRevisions = Readonly<Partial<Record<DatasetName, number>>>;

/** A part of the directory that decides which rows are served. */
export const directoryKinds = ['learner', 'content', 'market'] as const;
export type DirectoryKind = (typeof directoryKinds)[number];

/** Parts of the directory of one kind, by their ids in the main database. */
export interface DirectorySubjects {
  readonly kind: DirectoryKind;
  readonly ids: readonly number[];
}

export type MovedDays = Readonly<Partial<Record<DatasetName, readonly Day[]>>>;

export interface MoveOptions {
  readonly at: Date;
  /** `wait` for a running aggregation of the brand, or `skip`: do nothing. */
  readonly whenBusy: 'wait' | 'skip';
  /** Days that need not move, because they were moved after the subjects had changed. */
  readonly moved?: MovedDays;
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
