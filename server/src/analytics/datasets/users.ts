import { type Static, Type } from 'typebox';
import type { CountsByType, LearnerDayRow } from '../store/datasets.ts';
import {
  alwaysNull,
  Count,
  CountsWire,
  countsToWire,
  DayWire,
  meanOf,
  Rate,
  Seconds,
  UserWire,
  userFilter,
} from './dataset-wire.ts';
import { keysetOperation } from './keyset-operation.ts';

const CountsByTypeWire = {
  ...CountsWire,
  episodes: Type.Object(CountsWire),
  programs: Type.Object(CountsWire),
  quests: Type.Object(CountsWire),
};

/** One row per user and day [analytics-33]. */
export const UserRowWire = Type.Object({
  date: DayWire,
  user: UserWire,
  market: alwaysNull(),
  pos: alwaysNull(),
  metrics: Type.Object({
    ...CountsByTypeWire,
    xp_earned: Count(),
    time_spent_seconds: Seconds(),
    overall_score: Rate(),
  }),
  cumulative: Type.Object(CountsByTypeWire),
});

function userRowToWire(row: LearnerDayRow, tuId: string): Static<typeof UserRowWire> {
  return {
    date: row.day,
    user: { tu_id: tuId },
    market: null,
    pos: null,
    metrics: {
      ...countsByTypeToWire(row),
      xp_earned: row.xpEarned,
      time_spent_seconds: row.timeSpentSeconds,
      overall_score: meanOf(row.score),
    },
    cumulative: countsByTypeToWire(row.cumulative),
  };
}

function countsByTypeToWire(counts: CountsByType) {
  return {
    ...countsToWire(counts),
    episodes: countsToWire(counts.episode),
    programs: countsToWire(counts.program),
    quests: countsToWire(counts.quest),
  };
}

const userRowExample: Static<typeof UserRowWire> = {
  date: '2026-03-01',
  user: { tu_id: 'u-4711' },
  market: null,
  pos: null,
  metrics: {
    views: 3,
    completions: 2,
    successes: 1,
    episodes: { views: 2, completions: 2, successes: 1 },
    programs: { views: 1, completions: 0, successes: 0 },
    quests: { views: 0, completions: 0, successes: 0 },
    xp_earned: 40,
    time_spent_seconds: 960,
    overall_score: 87.5,
  },
  cumulative: {
    views: 38,
    completions: 25,
    successes: 17,
    episodes: { views: 30, completions: 21, successes: 15 },
    programs: { views: 6, completions: 3, successes: 1 },
    quests: { views: 2, completions: 1, successes: 1 },
  },
};

/** Returns the same 404 for unknown and excluded users and for those of another brand [analytics-16]. */
export const listUserDaysOperation = keysetOperation({
  id: 'listUserDays',
  path: '/users/daily',
  summary: 'List learner metrics by day',
  description:
    'One row per learner and day with activity, ordered by learner, then day (ascending). Learners are pseudonymous. Rows of learners who are excluded from analytics are removed immediately, so a page may be short or empty although more pages follow: follow `cursor` until `meta.next_cursor` is null.',
  access: ['analytics.users:read'],
  dataset: 'users',
  defaultDays: 30,
  filters: { user: userFilter },
  item: UserRowWire,
  example: userRowExample,
  read: 'listLearnerDays',
  key: ['learnerId', 'day'],
  show: (row, { learners }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined ? undefined : userRowToWire(row, tuId);
  },
});
