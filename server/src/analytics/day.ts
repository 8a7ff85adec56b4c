/** A UTC day, `YYYY-MM-DD`, year 0001 to 9999. Days compare as strings do. */
export type Day = string;

/** Includes both ends. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const dayMs = 86_400_000;

const firstDay: Day = '0001-01-01';

/** Regardless of the time zone of the process. */
export function dayOf(instant: Date | number): Day {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Days from 1970-01-01 to this one; negative before it. */
export function dayNumberOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}

/** The day that is the given number of days after 1970-01-01, or before it if negative. */
export function dayOfNumber(number: number): Day {
  return dayOf(number * dayMs);
}

/** The last complete UTC day at `now`. */
export function yesterdayOf(now: number): Day {
  return dayOf(now - dayMs);
}

/** The day `count` days later, or earlier if negative; never before year 1. */
export function addDays(day: Day, count: number): Day {
  return dayOfNumber(Math.max(dayNumberOf(day) + count, dayNumberOf(firstDay)));
}

export function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 7)}-01`;
}

export function firstOfNextMonth(day: Day): Day {
  return firstOfMonth(addDays(firstOfMonth(day), 31));
}

/** The first day that has figures: the service accepts no earlier event [internal-40]. */
export const earliestDay: Day = '2000-01-01';

/** Cuts a range at the ends of months, in ascending order. */
export function monthsOf({ from, to }: DayRange): DayRange[] {
  const months: DayRange[] = [];
  for (let first = from; first <= to; first = firstOfNextMonth(first)) {
    const last = addDays(firstOfNextMonth(first), -1);
    months.push({ from: first, to: last < to ? last : to });
  }
  return months;
}

/** The number of days in a range, both ends included; 0 or less if it ends before it begins. */
export function countDays({ from, to }: DayRange): number {
  return dayNumberOf(to) - dayNumberOf(from) + 1;
}

/** The days of a range in ascending order; none if it ends before it begins. */
export function daysOf(range: DayRange): Day[] {
  return Array.from({ length: Math.max(0, countDays(range)) }, (_, offset) => addDays(range.from, offset));
}

/** Combines days into the fewest ranges, in ascending order. Days may come in any order and more than once. */
export function toRanges(days: readonly Day[]): DayRange[] {
  const ranges: { from: Day; to: Day }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}
