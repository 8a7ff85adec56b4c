import type { Day } from '../day.ts';
import {
  addTally,
  byDay,
  type CountedEvent,
  countsOf,
  distinctUsers,
  emptyTally,
  meanScore,
  rate,
  type Tally,
  tallyOf,
} from './group.ts';
import type { ExpectedDirectory, ExpectedRow } from './served-rows.ts';

/** A row of the brand and one of each market for every day, with or without events. */
export function dailyRows(
  events: readonly CountedEvent[],
  directory: ExpectedDirectory,
  days: readonly Day[],
): ExpectedRow[] {
  const byMarket = Map.groupBy(
    events.filter(({ market }) => market !== null),
    ({ market }) => market as string,
  );
  return [
    ...rowsOf(events, null, directory, days),
    ...directory.markets.flatMap((market) => rowsOf(byMarket.get(market) ?? [], market, directory, days)),
  ];
}

function rowsOf(
  events: readonly CountedEvent[],
  market: string | null,
  { live }: ExpectedDirectory,
  days: readonly Day[],
): ExpectedRow[] {
  const eventsOf = new Map(byDay(events));
  const running = emptyTally();
  return days.map((date) => {
    const today = eventsOf.get(date) ?? [];
    const total = tallyOf(today);
    const cumulative = addTally(running, total);
    const quests = tallyOf(today, 'quest');
    return {
      row: {
        date,
        market: market === null ? null : { tu_id: market },
        live_content: { ...live, products: 0 },
        active_users: distinctUsers(today),
        totals: { ...countsOf(total), xp_earned: total.xp, time_spent_seconds: 0 },
        episodes: figuresOf(tallyOf(today, 'episode')),
        programs: figuresOf(tallyOf(today, 'program')),
        quests: { ...figuresOf(quests), quiz_average_score: quests.quizzes === 0 ? null : meanScore(quests) },
        overall_completion_rate: total.views === 0 ? null : rate(total.completions, total.views),
        cumulative: { ...countsOf(cumulative), xp_earned: cumulative.xp },
      },
    };
  });
}

function figuresOf(tally: Tally) {
  return {
    ...countsOf(tally),
    time_spent_seconds: 0,
    watch_rate: 0,
    completion_rate: rate(tally.completions, tally.views),
    success_rate: rate(tally.successes, tally.completions),
    quiz_average_score: meanScore(tally),
  };
}
