import { ApiError, invalidField } from '../../errors/api-error.ts';
import type { CursorContent } from '../cursor-codec.ts';
import { addDays, countDays, type Day, type DayRange } from '../day.ts';

/** The maximum length of a window, and its default length, in days [analytics-9]. */
export interface WindowRules {
  readonly defaultDays: number;
  readonly capDays: number;
}

export interface WindowQuery {
  readonly from?: Day;
  readonly to?: Day;
}

/**
 * Resolves the window of a query [analytics-7]. Ends that the first request of a walk did not specify keep their value, also
 * past midnight.
 * @throws ApiError `validation_failed` if the window ends before it begins; `date_range_too_large`
 */
export function resolveWindow(
  query: WindowQuery,
  rules: WindowRules,
  yesterday: Day,
  earlier: Pick<CursorContent, 'window' | 'defaulted'> | null = null,
): DayRange {
  const to = query.to ?? (earlier?.defaulted.to ? earlier.window.to : yesterday);
  const from =
    query.from ?? (earlier?.defaulted.from ? earlier.window.from : addDays(to, -rules.defaultDays));
  const window = { from, to };
  const days = countDays(window);
  if (days < 1) throw invalidField('from', 'must not be after `to`');
  if (days > rules.capDays)
    throw new ApiError('date_range_too_large', {
      message: `The window has ${days} days; the maximum is ${rules.capDays}.`,
    });
  return window;
}

/** Returns the part of a window that can have rows: days after yesterday are never served. May be empty. */
export function servedPart({ from, to }: DayRange, yesterday: Day): DayRange {
  return { from, to: to < yesterday ? to : yesterday };
}
