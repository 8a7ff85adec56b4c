const places = 6;
const scale = 10 ** places;

/**
 * Cuts a number from 0 to 100 off after 6 decimal places, so that every store keeps it and its sums exactly [internal-36].
 * Not rounded: a cut value lies on the same side of every half of a hundredth, so a figure of one event stays the same.
 */
export function boundedShare(value: number): number {
  if (Math.round(value * scale) / scale === value) return value;
  // The shortest decimal, which is the number as it was sent. Below 10^-6 it has an exponent.
  const text = String(value);
  return text.includes('e') ? 0 : Number(text.slice(0, text.indexOf('.') + 1 + places));
}
