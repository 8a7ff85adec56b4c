const prices = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

interface Priced {
  readonly price_value: number;
  readonly price_currency: string;
  readonly price_range: {
    readonly min: number | null;
    readonly max: number | null;
    readonly currency: string | null;
  } | null;
}

/** Writes an amount with its currency, such as `1,234.50 EUR`. */
export function priceOf(value: number, currency: string): string {
  return `${prices.format(value)} ${currency}`;
}

/** Writes the range of the active variants' prices; null if no active variant has one. */
export function priceRangeOf({ price_range: range, price_currency }: Priced): string | null {
  if (range === null || range.min === null || range.max === null) return null;
  const currency = range.currency ?? price_currency;
  return range.min === range.max
    ? priceOf(range.min, currency)
    : `${prices.format(range.min)} to ${priceOf(range.max, currency)}`;
}
