import { type Static, Type } from 'typebox';
import type { CountsByType, LearnerDayRow } from '../store/datasets.ts';
import { meanOf } from './rates.ts';
import {
  alwaysNull,
  Count,
  CountsWire,
  countsToWire,
  DayWire,
  Rate,
  Seconds,
  UserWire,
} from './wire-parts.ts';

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

export function userRowToWire(row: LearnerDayRow, tuId: string): Static<typeof UserRowWire> {
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

export const userRowExample: Static<typeof UserRowWire> = {
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
