const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

/**
 * Parses an ISO 8601 date-time with an offset [platform-36]. Digits past the millisecond are truncated.
 * Returns null for anything else: no offset, a day that does not exist, a leap second, a year outside of 1 to
 * 9999 in UTC (PostgreSQL's text form has no year 0).
 */
export function parseInstant(text: string): Date | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (hour > 23 || minute > 59 || second > 59 || !isCalendarDay(year, month, day)) return null;
  if (match[8] !== undefined && (Number(match[8]) > 23 || Number(match[9]) > 59)) return null;
  const zone = match[7] === undefined ? 'Z' : `${match[7]}${match[8]}:${match[9]}`;
  const fraction = /\.\d+/.exec(text)?.[0].slice(0, 4) ?? '';
  const instant = new Date(`${text.slice(0, 10)}T${text.slice(11, 19)}${fraction}${zone}`);
  const utcYear = instant.getUTCFullYear();
  return Number.isNaN(instant.getTime()) || utcYear < 1 || utcYear > 9999 ? null : instant;
}

/** Returns whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return isCalendarDay(Number(year), Number(month), Number(day));
}

/** Returns whether the Gregorian calendar has this day; `month` and `day` count from 1. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  // Day 0 of the next month is the last day of this one; the year is moved by 400, a whole cycle of the
  // calendar, because Date.UTC reads years below 100 as 19xx.
  return day <= new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
}

export function isDayOrInstant(text: string): boolean {
  return isDay(text) || parseInstant(text) !== null;
}

/** Returns the instant, or the first millisecond of the UTC day. The text must be valid. */
export function firstInstantOf(text: string): Date {
  return isDay(text) ? new Date(`${text}T00:00:00.000Z`) : (parseInstant(text) as Date);
}

/** Returns the instant, or the last millisecond of the UTC day. The text must be valid. */
export function lastInstantOf(text: string): Date {
  return isDay(text) ? new Date(`${text}T23:59:59.999Z`) : (parseInstant(text) as Date);
}
