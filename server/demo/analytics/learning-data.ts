import type { Day } from './day.ts';

/** A market, learner or content as sent to the directory. */
export interface DirectoryMarket {
  readonly tu_id: string;
  readonly name: string;
}

export interface DirectoryUser {
  readonly tu_id: string;
  readonly market?: string;
  readonly analytics_opt_out?: boolean;
}

export interface DirectoryContent {
  readonly type: 'episode' | 'program' | 'quest';
  readonly tu_id: string;
  readonly name?: string;
  readonly is_live?: boolean;
}

/** A learning event as sent. */
export interface LearningEvent {
  readonly event_id: string;
  readonly occurred_at: string;
  readonly kind: 'view' | 'completion' | 'success' | 'quiz';
  readonly user: string;
  readonly content: { readonly type: string; readonly tu_id: string };
  readonly market?: string;
  /** 0 to 100, on a quiz. */
  readonly score?: number;
  readonly xp_earned?: number;
}

/** An event and its UTC day, which is computed independently of the timestamp that is sent. */
export interface MappedEvent {
  /** null if the day does not exist, so that the event has to be rejected. */
  readonly day: Day | null;
  readonly event: LearningEvent;
}

/** A data set as sent to one brand. */
export interface LearningData {
  readonly markets: readonly DirectoryMarket[];
  readonly users: readonly DirectoryUser[];
  readonly contents: readonly DirectoryContent[];
  /** Source rows, with or without an event. */
  readonly rows: number;
  /** Rows without an event, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Yields the events in the order in which they are sent; every call starts from the beginning. */
  events(): Iterable<MappedEvent>;
}

/** Selects at most the given number of rows, in equal steps from the whole file; null = all of them. */
export function spreadPart<T>(rows: readonly T[], part: number | null): readonly T[] {
  if (part === null || part >= rows.length) return rows;
  return Array.from({ length: part }, (_, index) => rows[Math.floor((index * rows.length) / part)] as T);
}
