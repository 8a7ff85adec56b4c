/**
 * Rounds a computed price to the 4 decimal places that the API takes: `10 + 1.12` is `11.120000000000001` in JavaScript, and
 * `money(10 + 1.12)` is `11.12`. Half a unit is rounded up, as it is written. @throws TypeError for a value that is not finite
 */
export function money(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError('A price is a finite number.');
  const text = String(value);
  // Shifts the point in the text: 1.00005 * 10000 is less than 10000.5.
  const shifted = text.includes('e') ? value * 10_000 : Number(`${text}e4`);
  return Math.round(shifted) / 10_000;
}
