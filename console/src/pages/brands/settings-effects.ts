import type { SettingsText } from './brand-settings.ts';
import { messages } from './messages.ts';

type Thresholds = Pick<SettingsText, 'low_stock_threshold' | 'stale_after_hours'>;

const words = messages.effects;

/**
 * Returns sentences about the stock whose status changes with the typed settings. They follow from the rule alone: the products
 * are not counted [D253]. Text that is not a whole number has no effect yet; the server rejects it.
 */
export function effectsOf(before: Thresholds, typed: Thresholds): readonly string[] {
  const effects: string[] = [];
  const [low, newLow] = [wholeOf(before.low_stock_threshold), wholeOf(typed.low_stock_threshold)];
  if (low !== null && newLow !== null && newLow > low) effects.push(words.becomesLow(low + 1, newLow));
  if (low !== null && newLow !== null && newLow < low) effects.push(words.becomesInStock(newLow + 1, low));
  const [hours, newHours] = [hoursOf(before.stale_after_hours), hoursOf(typed.stale_after_hours)];
  if (hours === null || newHours === null || hours === newHours) return effects;
  if (newHours === Number.POSITIVE_INFINITY) effects.push(words.neverStale);
  else if (hours === Number.POSITIVE_INFINITY) effects.push(words.becomesStaleAfter(newHours));
  else if (newHours < hours) effects.push(words.becomesStale(newHours, hours));
  else effects.push(words.noLongerStale(hours, newHours));
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
