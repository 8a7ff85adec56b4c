import {
  addTally,
  byDay,
  type CountedEvent,
  countsOf,
  emptyTally,
  meanScore,
  type Tally,
  tallyOf,
} from './group.ts';
import type { ExpectedRow } from './served-rows.ts';

interface OfTypes {
  readonly total: Tally;
  readonly episodes: Tally;
  readonly programs: Tally;
  readonly quests: Tally;
}

/** A row for each learner and day with an event. */
export function userRows(events: readonly CountedEvent[]): ExpectedRow[] {
  const rows: ExpectedRow[] = [];
  for (const [user, ofUser] of Map.groupBy(events, ({ event }) => event.user)) {
    const running = ofTypes(() => emptyTally());
    for (const [date, today] of byDay(ofUser)) {
      const figures = ofTypes((type) => tallyOf(today, type));
      for (const name of ['total', 'episodes', 'programs', 'quests'] as const)
        addTally(running[name], figures[name]);
      rows.push({
        row: {
          date,
          user: { tu_id: user },
          market: null,
          pos: null,
          metrics: {
            ...countsByType(figures),
            xp_earned: figures.total.xp,
            time_spent_seconds: 0,
            overall_score: meanScore(figures.total),
          },
          cumulative: countsByType(running),
        },
      });
    }
  }
  return rows;
}

/** All events count in the total, including those about future content types. */
function ofTypes(tally: (type?: string) => Tally): OfTypes {
  return { total: tally(), episodes: tally('episode'), programs: tally('program'), quests: tally('quest') };
}

function countsByType({ total, episodes, programs, quests }: OfTypes) {
  return {
    ...countsOf(total),
    episodes: countsOf(episodes),
    programs: countsOf(programs),
    quests: countsOf(quests),
  };
}
