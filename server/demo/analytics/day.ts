/** A UTC day as YYYY-MM-DD, which sorts as a string. */
export type Day = string;

export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const dayMs = 24 * 60 * 60 * 1000;

export function addDays(day: Day, days: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

/** The UTC day of an instant in milliseconds since the Unix epoch. */
export function dayOf(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Every day of a range. */
export function daysIn({ from, to }: DayRange): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Divides the range into windows of the given number of days; the last one may be shorter. */
export function windowsOf({ from, to }: DayRange, days: number): DayRange[] {
  const windows: DayRange[] = [];
  for (let start = from; start <= to; start = addDays(start, days)) {
    const end = addDays(start, days - 1);
    windows.push({ from: start, to: end < to ? end : to });
  }
  return windows;
}
