const dayMs = 86_400_000;

/** A UTC day, `YYYY-MM-DD`. */
export type Day = string;

export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && dayOf(time) === text;
}

export function addDays(day: Day, days: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs);
}

/** Returns the days from `from` to `to`, both inclusive; none if `to` is earlier. */
export function daysBetween(from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function dayOf(time: number): Day {
  return new Date(time).toISOString().slice(0, 10);
}
