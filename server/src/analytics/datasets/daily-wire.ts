import { type Static, Type } from 'typebox';
import { Nullable } from '../../api/field-schemas.ts';
import type { DailyRow, TypeFigures } from '../store/datasets.ts';
import { meanOf, meanOrNull, percentage } from './rates.ts';
import { Count, CountsWire, countsToWire, DayWire, Rate, Seconds } from './wire-parts.ts';

const typeFigures = {
  ...CountsWire,
  time_spent_seconds: Seconds(),
  watch_rate: Rate(),
  completion_rate: Rate(),
  success_rate: Rate(),
};
const TypeFiguresWire = Type.Object({ ...typeFigures, quiz_average_score: Rate() });

/** One row per day, or per market and day [analytics-12]. */
export const DailyRowWire = Type.Object({
  date: DayWire,
  market: Nullable(Type.Object({ tu_id: Type.String() }), { description: 'null on brand-level rows.' }),
  live_content: Type.Object(
    { episodes: Count(), programs: Count(), quests: Count(), products: Count() },
    { description: 'Counts for the brand at the time of the aggregation.' },
  ),
  active_users: Count(),
  totals: Type.Object({ ...CountsWire, xp_earned: Count(), time_spent_seconds: Seconds() }),
  episodes: TypeFiguresWire,
  programs: TypeFiguresWire,
  quests: Type.Object({
    ...typeFigures,
    quiz_average_score: Nullable(Type.Number({ minimum: 0, maximum: 100 }), {
      description: 'null if there was no quiz.',
    }),
  }),
  overall_completion_rate: Nullable(Type.Number({ minimum: 0, maximum: 100 }), {
    description: 'null if there was no view.',
  }),
  cumulative: Type.Object(
    { ...CountsWire, xp_earned: Count() },
    { description: 'Running totals up to this day, for the brand or the market.' },
  ),
});

/** @param marketTuId null on brand-level rows */
export function dailyRowToWire(row: DailyRow, marketTuId: string | null): Static<typeof DailyRowWire> {
  const { liveContent, totals, types, cumulative } = row;
  return {
    date: row.day,
    market: marketTuId === null ? null : { tu_id: marketTuId },
    live_content: liveContent,
    active_users: row.activeLearners,
    totals: {
      ...countsToWire(totals),
      xp_earned: totals.xpEarned,
      time_spent_seconds: totals.timeSpentSeconds,
    },
    episodes: { ...typeToWire(types.episode), quiz_average_score: meanOf(types.episode.score) },
    programs: { ...typeToWire(types.program), quiz_average_score: meanOf(types.program.score) },
    quests: { ...typeToWire(types.quest), quiz_average_score: meanOrNull(types.quest.score) },
    overall_completion_rate: totals.views === 0 ? null : percentage(totals.completions, totals.views),
    cumulative: { ...countsToWire(cumulative), xp_earned: cumulative.xpEarned },
  };
}

function typeToWire(figures: TypeFigures) {
  return {
    ...countsToWire(figures),
    time_spent_seconds: figures.timeSpentSeconds,
    watch_rate: meanOf(figures.progress),
    completion_rate: percentage(figures.completions, figures.views),
    success_rate: percentage(figures.successes, figures.completions),
  };
}

const noFigures = {
  views: 0,
  completions: 0,
  successes: 0,
  time_spent_seconds: 0,
  watch_rate: 0,
  completion_rate: 0,
  success_rate: 0,
};

export const dailyRowExample: Static<typeof DailyRowWire> = {
  date: '2026-03-01',
  market: null,
  live_content: { episodes: 42, programs: 6, quests: 3, products: 118 },
  active_users: 27,
  totals: { views: 64, completions: 31, successes: 18, xp_earned: 940, time_spent_seconds: 18_600 },
  episodes: {
    views: 52,
    completions: 28,
    successes: 17,
    time_spent_seconds: 15_120,
    watch_rate: 71.42,
    completion_rate: 53.85,
    success_rate: 60.71,
    quiz_average_score: 78.5,
  },
  programs: {
    ...noFigures,
    views: 12,
    completions: 3,
    successes: 1,
    time_spent_seconds: 3_480,
    completion_rate: 25,
    success_rate: 33.33,
    quiz_average_score: 0,
  },
  quests: { ...noFigures, quiz_average_score: null },
  overall_completion_rate: 48.44,
  cumulative: { views: 5_120, completions: 2_048, successes: 1_003, xp_earned: 81_440 },
};
