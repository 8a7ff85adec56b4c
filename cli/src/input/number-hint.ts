/** A number with a separator every three digits: a comma, a point, an apostrophe or a space. */
const grouped = /^[+-]?\d{1,3}(?:[.,'’\s]\d{3})+$/u;

/** Returns what to do about a string that was not read as an integer, to follow its message; `''` if its digits do not say. */
export function integerHint(text: string): string {
  const value = text.trim();
  const digits = value.replaceAll(/[^\d+-]/g, '');
  if (grouped.test(value)) {
    const [whole, zeros] = value.split('.');
    const other = zeros === '000' ? `, or ${whole} if it is that` : '';
    return `; write it without a separator: ${digits}${other}`;
  }
  const [, whole] = /^([+-]?\d+)[.,]0+$/.exec(value) ?? [];
  return whole === undefined ? '' : `; write it without decimal places: ${whole}`;
}

/**
 * The same for a number.
 * @param decimal the character before decimal places that the command was given
 */
export function numberHint(text: string, decimal: '.' | ','): string {
  const value = text.trim();
  const [, whole = '', places] = /^([+-]?\d+)[.,](\d+)$/.exec(value) ?? [];
  if (places !== undefined) {
    if (/^[+-]?[1-9]\d{0,2}$/.test(whole) && places.length === 3)
      return `; is it ${whole}.${places} or ${whole}${places}? Write ${whole}${decimal}${places}0 or ${whole}${places}`;
    return decimal === '.' ? '; --decimal , reads it' : '; without --decimal , it is read';
  }
  // The last separator is before the decimal places, unless several are equal.
  const [, front = '', back] =
    /^([+-]?\d{1,3}(?:[.,'’\s]\d{3})+?)(?:[.,](\d{1,2}|\d{4}))?$/u.exec(value) ?? [];
  if (front === '') return '';
  const digits = front.replaceAll(/[^\d+-]/g, '');
  return `; write it without separators of thousands: ${digits}${back === undefined ? '' : `${decimal}${back}`}`;
}
