const dayMs = 86_400_000;

/** Days of UTC, both inclusive, as `YYYY-MM-DD`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Returns the current day of UTC, by the local clock. */
export function today(): string {
  return dayOf(Date.now());
}

/** @throws TypeError if the text is not a day, such as `2026-02-30` */
export function addDays(day: string, days: number): string {
  return dayOf(timeOf(day) + days * dayMs);
}

/** Cuts a range into windows of at most `cap` days, without overlap. A range that ends before it begins has none. */
export function windowsOf({ from, to }: DayRange, cap: number): DayRange[] {
  const windows: DayRange[] = [];
  for (let start = from; timeOf(start) <= timeOf(to); start = addDays(start, cap)) {
    const end = addDays(start, cap - 1);
    windows.push({ from: start, to: end < to ? end : to });
  }
  return windows;
}

function timeOf(day: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || dayOf(time) !== day) throw new TypeError(`"${day}" is not a day: YYYY-MM-DD.`);
  return time;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
