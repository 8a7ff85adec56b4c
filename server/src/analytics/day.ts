/** A UTC day, `YYYY-MM-DD`, year 0001 to 9999. Days compare as texts do. */
export type Day = string;

/** Both ends belong to it. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const dayMs = 86_400_000;

/** The first day that a `Day` can name. */
const firstDay: Day = '0001-01-01';

/** Returns the UTC day of an instant, in any time zone of the process. */
export function dayOf(instant: Date | number): Day {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Days from 1970-01-01 to this one; negative before it. */
export function dayNumberOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}

/** The day so many days after 1970-01-01, or before it. */
export function dayOfNumber(number: number): Day {
  return dayOf(number * dayMs);
}

/** The last complete UTC day at `now`. */
export function yesterdayOf(now: number): Day {
  return dayOf(now - dayMs);
}

/** The day `count` days later, or earlier where it is negative; never before year 1. */
export function addDays(day: Day, count: number): Day {
  const moved = Date.parse(`${day}T00:00:00Z`) + count * dayMs;
  return moved < Date.parse(`${firstDay}T00:00:00Z`) ? firstDay : dayOf(moved);
}

/** Number of days of a range, including both ends; 0 or less if it ends before it begins. */
export function countDays({ from, to }: DayRange): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs + 1;
}

/** The days put together to the fewest ranges, in ascending order. Days may come in any order and more than once. */
export function toRanges(days: readonly Day[]): DayRange[] {
  const ranges: { from: Day; to: Day }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day;
    else ranges.push({ from: day, to: day });
  }
  return ranges;
}
