import { isTrimmed } from '../generated/white-space.ts';

/** The values of a column. */
export type CellType = 'text' | 'number' | 'boolean';

/**
 * Returns the value of a cell of CSV, without the white space around it, which the service refuses in SKUs and codes; undefined
 * for an empty cell. What is no number, or neither true nor false, stays a string, so that `bodyProblems` names it.
 * @param decimal the character before the decimal places
 */
export function cellValue(
  text: string,
  type: CellType = 'text',
  decimal: '.' | ',' = '.',
): string | number | boolean | undefined {
  const value = trimmed(text);
  if (value === '') return undefined;
  if (type === 'text') return value;
  if (type === 'boolean') {
    if (/^(true|yes|1)$/i.test(value)) return true;
    return /^(false|no|0)$/i.test(value) ? false : value;
  }
  const [, sign, whole, places] = /^([+-]?)(\d+)(?:[.,](\d+))?$/.exec(value) ?? [];
  const isNumber = whole !== undefined && (places === undefined || value.includes(decimal));
  return isNumber ? Number(`${sign}${whole}.${places ?? 0}`) : value;
}

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && !isTrimmed(text.charAt(start))) start += 1;
  while (end > start && !isTrimmed(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
