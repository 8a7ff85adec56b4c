import { parseInstant } from './instant.ts';

const dayMs = 86_400_000;
const mostDays = 1_000;
const knownDays = new Map<number, string>();
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const threeDigits = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0'));

/** Same as `toISOString` in a fifth of the time, for lists with timestamps of few days. @throws RangeError */
export function instantText(instant: Date): string {
  const ms = instant.getTime();
  const day = Math.floor(ms / dayMs);
  let text = knownDays.get(day);
  if (text === undefined) {
    text = instant.toISOString().slice(0, -13);
    if (knownDays.size >= mostDays) knownDays.clear();
    knownDays.set(day, text);
  }
  const inDay = ms - day * dayMs;
  const seconds = Math.floor(inDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${text}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[inDay % 1_000]}Z`;
}

/**
 * A time that a source gave, as text to the microsecond: `2026-03-01T08:30:00.123456Z`. A date has milliseconds, and a number
 * does not hold the microseconds of each year. All have the same form, so the order of the texts is that of the times
 * [catalog-122] [D289].
 */
export type SourceTime = string & { readonly form: 'microseconds' };

/** Parses what `parseInstant` does. Digits past the microsecond are truncated. */
export function parseSourceTime(text: string): SourceTime | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const digits = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '';
  return withMicroseconds(instant, digits.padEnd(3, '0'));
}

/** Returns the time of a clock, which has milliseconds. */
export function sourceTimeOf(instant: Date): SourceTime {
  return withMicroseconds(instant, '000');
}

function withMicroseconds(instant: Date, digits: string): SourceTime {
  return `${instant.toISOString().slice(0, -1)}${digits}Z` as SourceTime;
}

/** Returns the millisecond of the time, since the Unix epoch. */
export function millisecondOf(time: SourceTime): number {
  return Date.parse(shownSourceTime(time));
}

/** Returns the time with three digits, or with six where it has more. */
export function shownSourceTime(time: SourceTime): string {
  return time.endsWith('000Z') ? `${time.slice(0, -4)}Z` : time;
}

/** Returns the time in two columns: a timestamp with milliseconds, and the digits after them, 0 to 999. */
export function storedSourceTime(time: SourceTime): { readonly at: string; readonly micros: number } {
  return { at: `${time.slice(0, -4)}Z`, micros: Number(time.slice(-4, -1)) };
}
