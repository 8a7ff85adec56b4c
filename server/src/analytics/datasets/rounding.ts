import type { Mean } from '../store/dataset-rows.ts';

/**
 * Rates and scores in responses: rounded to 2 decimals, halves away from zero, from exact sums, so that the order of days has
 * no effect. Capped at 100; 0 if the divisor is 0 [analytics-35] [analytics-40].
 */

/** Returns 100 x part / whole. */
export function percentage(part: number, whole: number): number {
  if (whole === 0) return 0;
  return roundedQuotient(part * 100, whole) ?? roundedBigQuotient(BigInt(part) * 100n, BigInt(whole));
}

/** Returns the mean of values from 0 to 100; 0 without any. */
export function meanOf({ sum, count }: Mean): number {
  if (count === 0) return 0;
  const point = sum.indexOf('.');
  const decimals = point < 0 ? 0 : sum.length - point - 1;
  const digits = point < 0 ? sum : sum.slice(0, point) + sum.slice(point + 1);
  return (
    roundedQuotient(Number(digits), 10 ** decimals * count) ??
    roundedBigQuotient(BigInt(digits), 10n ** BigInt(decimals) * BigInt(count))
  );
}

/** Returns the mean of values from 0 to 100; null without any. */
export function meanOrNull(mean: Mean): number | null {
  return mean.count === 0 ? null : meanOf(mean);
}

/**
 * Returns null if a number cannot represent the quotient exactly: that of integers below 2^53 is never rounded up to the next
 * integer. A tenth of the time of `bigint`. Requires non-negative arguments and a divisor above 0.
 */
function roundedQuotient(dividend: number, divisor: number): number | null {
  const doubled = dividend * 200 + divisor;
  if (doubled > Number.MAX_SAFE_INTEGER || divisor * 2 > Number.MAX_SAFE_INTEGER) return null;
  const hundredths = Math.floor(doubled / (divisor * 2));
  return hundredths > 10_000 ? 100 : hundredths / 100;
}

function roundedBigQuotient(dividend: bigint, divisor: bigint): number {
  const hundredths = (dividend * 200n + divisor) / (divisor * 2n);
  return hundredths > 10_000n ? 100 : Number(hundredths) / 100;
}
