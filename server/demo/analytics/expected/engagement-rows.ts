import { addTally, byDay, type CountedEvent, emptyTally, meanScore, tallyOf } from './group.ts';
import { contentKey, type ExpectedDirectory, type ExpectedRow } from './served-rows.ts';

/** A row for each learner, content and day with an event; quests have none. */
export function engagementRows(events: readonly CountedEvent[], directory: ExpectedDirectory): ExpectedRow[] {
  const rows: ExpectedRow[] = [];
  const pairs = Map.groupBy(events, ({ event }) => `${contentKey(event.content)} ${event.user}`);
  for (const ofPair of pairs.values()) {
    const { user, content } = (ofPair[0] as CountedEvent).event;
    if (content.type === 'quest') continue;
    const isListed = directory.contents.has(contentKey(content));
    const running = emptyTally();
    for (const [date, today] of byDay(ofPair)) {
      const total = tallyOf(today);
      const cumulative = addTally(running, total);
      rows.push({
        contentType: content.type,
        row: {
          date,
          user: { tu_id: user },
          content: isListed ? { tu_id: content.tu_id, type: content.type } : null,
          metrics: {
            views: total.views,
            xp_earned: total.xp,
            time_spent_seconds: 0,
            is_completed: total.completions > 0,
            is_successful: total.successes > 0,
            questions_count: 0,
            quiz_average_score: meanScore(total),
            quiz_completion_rate: 0,
          },
          cumulative: {
            views: cumulative.views,
            xp_earned: cumulative.xp,
            time_spent_seconds: 0,
            quiz_average_score: meanScore(cumulative),
          },
        },
      });
    }
  }
  return rows;
}
