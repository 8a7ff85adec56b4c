import type { SettingsText } from './brand-settings.ts';

type Thresholds = Pick<SettingsText, 'low_stock_threshold' | 'stale_after_hours'>;

/**
 * Returns sentences about the stock whose status changes with the typed settings. They follow from the rule alone: the products
 * are not counted [D253]. Text that is not a whole number has no effect yet; the server rejects it.
 */
export function effectsOf(before: Thresholds, typed: Thresholds): readonly string[] {
  const effects: string[] = [];
  const [low, newLow] = [wholeOf(before.low_stock_threshold), wholeOf(typed.low_stock_threshold)];
  if (low !== null && newLow !== null && newLow > low)
    effects.push(`Stock with ${rangeOf(low + 1, newLow)} available becomes low_stock.`);
  if (low !== null && newLow !== null && newLow < low)
    effects.push(`Stock with ${rangeOf(newLow + 1, low)} available becomes in_stock.`);
  const [hours, newHours] = [hoursOf(before.stale_after_hours), hoursOf(typed.stale_after_hours)];
  if (hours === null || newHours === null || hours === newHours) return effects;
  if (newHours === Number.POSITIVE_INFINITY) effects.push('Stock no longer becomes stale.');
  else if (hours === Number.POSITIVE_INFINITY)
    effects.push(`Stock that feeds last reported more than ${newHours} hours ago becomes stale.`);
  else if (newHours < hours)
    effects.push(`Stock that feeds last reported ${newHours} to ${hours} hours ago becomes stale.`);
  else effects.push(`Stock that feeds last reported ${hours} to ${newHours} hours ago is no longer stale.`);
  return effects;
}

/** Returns a whole number that is not negative; null for other text. */
function wholeOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Returns the hours; infinity for none, null for text that is not valid. */
function hoursOf(text: string): number | null {
  return text.trim() === '' ? Number.POSITIVE_INFINITY : wholeOf(text) || null;
}

function rangeOf(from: number, to: number): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
