import type { Day } from '../day.ts';

/** A learning event of the model. */
export interface ModelEvent {
  readonly eventId: string;
  readonly day: Day;
  readonly kind: 'view' | 'completion' | 'success' | 'quiz';
  readonly user: number;
  readonly content: number;
  readonly market: number | null;
  /** Hundredths. */
  readonly progress: number | null;
  /** Hundredths. */
  readonly score: number | null;
  readonly questions: number;
  readonly answered: number;
  readonly seconds: number;
  readonly xp: number;
}

/** A learner of the model. */
export interface ModelLearner {
  readonly tuId: string;
  optedOut: boolean;
  erased: boolean;
}

/** A content of the model. */
export interface ModelContent {
  readonly type: string;
  readonly tuId: string;
  readonly name: string | null;
  isListed: boolean;
  isLive: boolean;
}
