import { type Day, dayNumberOf } from '../../../../server/src/analytics/day.ts';
import type { LearningEvent } from '../../../../server/src/analytics/store/engine.ts';
import { monthOf } from './literals.ts';

/** Encodes the events of a batch as lines of tab-separated values, in the order of `eventColumns`. */
export function eventLines(brandId: number, batch: number, events: readonly LearningEvent[]): string {
  const days = new Map<Day, string>();
  const dayColumns = (day: Day): string => {
    const known = days.get(day) ?? `${brandId}\t${monthOf(day)}\t${dayNumberOf(day)}\t${batch}\t`;
    days.set(day, known);
    return known;
  };
  let lines = '';
  for (const event of events) {
    const { progress, score, questions, answered, marketId } = event;
    lines += `${dayColumns(event.day)}${escaped(event.eventId)}\t${event.occurredAt.getTime()}\t${event.kind}\t${event.learnerId}\t${
      event.contentRefId
    }\t${escaped(event.contentType)}\t${marketId ?? nothing}\t${decimal(progress)}\t${decimal(score)}\t${
      questions ?? nothing
    }\t${answered ?? nothing}\t${event.timeSpentSeconds}\t${event.xpEarned}\n`;
  }
  return lines;
}

const nothing = '\\N';
const special = /[\\\t\n\r\b\f\0]/g;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\0': '\\0',
};

function escaped(text: string): string {
  return text.replace(special, (character) => escapes[character] as string);
}

/** A decimal without an exponent, which ClickHouse does not read. */
function decimal(value: number | null): string {
  if (value === null) return nothing;
  const text = String(value);
  return text.includes('e') ? value.toFixed(6) : text;
}
