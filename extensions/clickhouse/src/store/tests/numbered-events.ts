import { addDays, type DayRange } from '../../../../../server/src/analytics/day.ts';
import { eventKinds, type LearningEvent } from '../../../../../server/src/analytics/store/engine.ts';

/** The days of all events. */
export const days: DayRange = { from: '2026-01-28', to: '2026-02-03' };
/** Events of a batch. */
export const batchSize = 400;

/** Returns the events of a batch, always the same: another process can send it again. */
export function eventsOf(batch: number): LearningEvent[] {
  return Array.from({ length: batchSize }, (_, index) => {
    const number = batch * batchSize + index;
    const day = addDays(days.from, number % 7);
    const kind = eventKinds[number % 4] ?? 'view';
    const isQuiz = kind === 'quiz';
    return {
      eventId: `event-${number}`,
      occurredAt: new Date(`${day}T10:00:00Z`),
      day,
      kind,
      learnerId: 1 + (number % 23),
      contentRefId: 1 + (number % 11),
      contentType: number % 11 < 6 ? 'episode' : 'program',
      marketId: number % 5 === 0 ? null : 1 + (number % 2),
      progress: kind === 'view' ? (number % 1_000) / 10 : null,
      score: isQuiz ? (number % 700) / 7.0 : null,
      questions: isQuiz ? 5 : null,
      answered: isQuiz ? number % 6 : null,
      timeSpentSeconds: number % 600,
      xpEarned: number % 20,
    };
  }).map((event) => ({ ...event, score: event.score === null ? null : Math.round(event.score * 100) / 100 }));
}
