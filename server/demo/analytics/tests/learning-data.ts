import type { LearningData, LearningEvent, MappedEvent } from '../learning-data.ts';

let lastId = 0;

/** An event at noon of a day in March 2020. */
function eventOn(
  day: number,
  kind: LearningEvent['kind'],
  more: Partial<LearningEvent> & Pick<LearningEvent, 'user' | 'content'>,
): MappedEvent {
  const date = `2020-03-${String(day).padStart(2, '0')}`;
  return { day: date, event: { event_id: `e-${++lastId}`, occurred_at: `${date}T12:00:00Z`, kind, ...more } };
}

const episode = { type: 'episode', tu_id: 'ep' };
const program = { type: 'program', tu_id: 'pr' };
const quest = { type: 'quest', tu_id: 'qu' };
const orphan = { type: 'live_session', tu_id: 'ls' };

/** Two learners, one of whom has opted out, two markets, and one content of each type. */
export function learningDataWith(events: readonly MappedEvent[]): LearningData {
  return {
    markets: [
      { tu_id: 'north', name: 'North' },
      { tu_id: 'south', name: 'South' },
    ],
    users: [
      { tu_id: 'anna', market: 'north' },
      { tu_id: 'ben' },
      { tu_id: 'staff', analytics_opt_out: true },
    ],
    contents: [
      { type: 'episode', tu_id: 'ep', name: 'Episode …' },
      { type: 'program', tu_id: 'pr', is_live: false },
      { type: 'quest', tu_id: 'qu' },
    ],
    rows: events.length,
    leftOut: {},
    events: () => events,
  };
}

/** Three days, the middle one without events, with events that give distinct values. */
export const someEvents: readonly MappedEvent[] = [
  eventOn(1, 'view', { user: 'anna', content: episode, xp_earned: 3 }),
  eventOn(1, 'view', { user: 'anna', content: episode, xp_earned: 2 }),
  eventOn(1, 'view', { user: 'ben', content: episode }),
  eventOn(1, 'completion', { user: 'anna', content: episode }),
  eventOn(1, 'quiz', { user: 'anna', content: episode, score: 50 }),
  eventOn(1, 'quiz', { user: 'anna', content: quest, score: 81 }),
  eventOn(1, 'view', { user: 'ben', content: orphan, market: 'south' }),
  eventOn(1, 'view', { user: 'staff', content: episode }),
  eventOn(3, 'view', { user: 'anna', content: episode }),
  eventOn(3, 'completion', { user: 'anna', content: episode }),
  eventOn(3, 'success', { user: 'anna', content: episode }),
  eventOn(3, 'quiz', { user: 'anna', content: episode, score: 75 }),
  eventOn(3, 'quiz', { user: 'ben', content: episode, score: 76 }),
  eventOn(3, 'completion', { user: 'ben', content: program }),
  { ...eventOn(3, 'view', { user: 'nobody', content: episode }) },
];
