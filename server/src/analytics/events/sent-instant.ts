import { isCalendarDay, parseInstant } from '../../lib/instant.ts';

const zero = 0x30;

/** Equals `parseInstant`, several times as fast for the usual form: UTC with a `Z`, to the second or the millisecond. */
export function parseSentInstant(text: string): Date | null {
  const hasMillis = text.length === 24 && text[19] === '.';
  const isUsual =
    (hasMillis || text.length === 20) &&
    text.endsWith('Z') &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':';
  if (!isUsual) return parseInstant(text);
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const millis = hasMillis ? digits(text, 20, 3) : 0;
  // NaN fails every comparison. Date.UTC maps years below 100 to another century.
  const isPlain = year >= 100 && hour <= 23 && minute <= 59 && second <= 59 && millis >= 0;
  if (!isPlain || !isCalendarDay(year, month, day)) return parseInstant(text);
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, millis));
}

/** The value of the digits; NaN if one of them is not a digit. */
function digits(text: string, start: number, count: number): number {
  let number = 0;
  for (let i = start; i < start + count; i += 1) {
    const digit = text.charCodeAt(i) - zero;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
