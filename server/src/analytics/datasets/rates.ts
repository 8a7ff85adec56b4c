import type { Mean } from '../store/dataset-rows.ts';

/**
 * Rates and scores in responses: rounded to 2 decimals, halves away from zero, from exact sums, so that the order in
 * which days were added has no effect. Capped at 100; 0 if the divisor is 0 [analytics-35] [analytics-40].
 */

/** 100 x part / whole. */
export function percentage(part: number, whole: number): number {
  if (whole === 0) return 0;
  return roundedQuotient(BigInt(part) * 100n, BigInt(whole));
}

/** The mean of values from 0 to 100. */
export function meanOf({ sum, count }: Mean): number {
  if (count === 0) return 0;
  const { digits, scale } = exactDecimal(sum);
  return roundedQuotient(digits, scale * BigInt(count));
}

/** The mean, or null if there are no values. */
export function meanOrNull(mean: Mean): number | null {
  return mean.count === 0 ? null : meanOf(mean);
}

function exactDecimal(text: string): { digits: bigint; scale: bigint } {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
}

/** Requires non-negative arguments and a divisor above 0. */
function roundedQuotient(dividend: bigint, divisor: bigint): number {
  const hundredths = (dividend * 200n + divisor) / (divisor * 2n);
  return hundredths > 10_000n ? 100 : Number(hundredths) / 100;
}
