import {
  addTally,
  byDay,
  type CountedEvent,
  countsOf,
  distinctUsers,
  emptyTally,
  meanScore,
  rate,
  tallyOf,
} from './group.ts';
import { contentKey, type ExpectedDirectory, type ExpectedRow } from './served-rows.ts';

/** A row for each content and day with an event; quests have none. */
export function contentRows(events: readonly CountedEvent[], directory: ExpectedDirectory): ExpectedRow[] {
  const rows: ExpectedRow[] = [];
  for (const [key, ofContent] of Map.groupBy(events, ({ event }) => contentKey(event.content))) {
    const { type, tu_id } = (ofContent[0] as CountedEvent).event.content;
    if (type === 'quest') continue;
    const listed = directory.contents.get(key);
    const running = emptyTally();
    for (const [date, today] of byDay(ofContent)) {
      const total = tallyOf(today);
      const cumulative = addTally(running, total);
      const activeUsers = distinctUsers(today);
      rows.push({
        contentType: type,
        row: {
          date,
          content: listed === undefined ? null : { tu_id, type, name: listed.name ?? null },
          market: null,
          pos: null,
          metrics: {
            views: total.views,
            unique_views: distinctUsers(today, 'view'),
            completions: total.completions,
            successes: total.successes,
            active_users: activeUsers,
            total_users: directory.totalUsers,
            engagement_rate: rate(activeUsers, directory.totalUsers),
            xp_earned: total.xp,
            time_spent_seconds: 0,
            questions_count: 0,
            quiz_average_score: meanScore(total),
          },
          cumulative: {
            ...countsOf(cumulative),
            watch_rate: 0,
            completion_rate: rate(cumulative.completions, cumulative.views),
            success_rate: rate(cumulative.successes, cumulative.completions),
            quiz_average_score: meanScore(cumulative),
          },
        },
      });
    }
  }
  return rows;
}
