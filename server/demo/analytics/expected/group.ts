import type { Day } from '../day.ts';
import type { LearningEvent } from '../learning-data.ts';

/** An event that counts, with its day. */
export interface CountedEvent {
  readonly day: Day;
  readonly event: LearningEvent;
  /** The event's own, or the learner's. */
  readonly market: string | null;
}

/** The events by day, in ascending order. */
export function byDay(events: readonly CountedEvent[]): [Day, CountedEvent[]][] {
  return [...Map.groupBy(events, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The events of a content type, or all if none is given. */
export function tallyOf(events: readonly CountedEvent[], type?: string): Tally {
  const tally = emptyTally();
  for (const { event } of events) if (type === undefined || event.content.type === type) count(tally, event);
  return tally;
}

export function distinctUsers(events: readonly CountedEvent[], kind?: LearningEvent['kind']): number {
  return new Set(
    events.filter(({ event }) => kind === undefined || event.kind === kind).map(({ event }) => event.user),
  ).size;
}

/** Sums over some events. The data sets have no progress, questions or time, so these sums are 0. */
export interface Tally {
  views: number;
  completions: number;
  successes: number;
  xp: number;
  scores: number;
  quizzes: number;
}

export const emptyTally = (): Tally => ({
  views: 0,
  completions: 0,
  successes: 0,
  xp: 0,
  scores: 0,
  quizzes: 0,
});

function count(tally: Tally, { kind, score = 0, xp_earned: xp = 0 }: LearningEvent): void {
  if (kind === 'view') tally.views++;
  if (kind === 'completion') tally.completions++;
  if (kind === 'success') tally.successes++;
  if (kind === 'quiz') {
    tally.quizzes++;
    tally.scores += score;
  }
  tally.xp += xp;
}

/** Adds `more` to `sum`, and returns the new sum. */
export function addTally(sum: Tally, more: Tally): Tally {
  for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += more[name];
  return { ...sum };
}

/** The three counts in the rows of all datasets. */
export const countsOf = ({ views, completions, successes }: Tally) => ({ views, completions, successes });

/**
 * 100 x part / whole, to 2 decimals, at most 100; 0 if `whole` is 0. A half is exact as a double, and is rounded up.
 */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, Math.round((part * 10_000) / whole) / 100);
}

/** To 2 decimals; 0 without a quiz. */
export function meanScore({ scores, quizzes }: Tally): number {
  return quizzes === 0 ? 0 : Math.round((scores * 100) / quizzes) / 100;
}
