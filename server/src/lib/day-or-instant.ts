import { isDay, parseInstant } from './instant.ts';

/** Returns whether the text is a day of the calendar or a date-time with an offset. */
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
