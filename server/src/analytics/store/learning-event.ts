import type { Day } from '../day.ts';

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

export interface AppendResult {
  readonly accepted: number;
  /** Events whose `eventId` was already stored for the brand or occurred earlier in the same call. */
  readonly duplicates: number;
  /**
   * The first day whose raw events are kept; null if none were dropped. Events of earlier days are not stored, nor counted
   * here.
   */
  readonly keptSince: Day | null;
}

export interface DroppedEvents {
  readonly events: number;
  /** True if nothing more can be dropped now. */
  readonly isDone: boolean;
  /** The first day that kept a month from being dropped, because its last aggregation lacks events of it. */
  readonly heldBackBy: Day | null;
}
