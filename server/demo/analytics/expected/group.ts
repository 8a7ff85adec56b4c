import type { Day } from '../day.ts';
import type { LearningEvent } from '../learning-data.ts';
import { count, emptyTally, type Tally } from './tally.ts';

/** An event that counts, with its day. */
export interface CountedEvent {
  readonly day: Day;
  readonly event: LearningEvent;
  /** The event's own, or the learner's. */
  readonly market: string | null;
}

export function groupBy<T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [thing]);
    else group.push(thing);
  }
  return groups;
}

/** The events by day, in ascending order. */
export function byDay(events: readonly CountedEvent[]): [Day, CountedEvent[]][] {
  return [...groupBy(events, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1));
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
