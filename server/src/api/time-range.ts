import { invalidField } from '../errors/api-error.ts';
import { firstInstantOf, lastInstantOf } from '../lib/instant.ts';

/** A range of time; both ends are inclusive, and each may be open. */
export interface TimeRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
export function timeRangeFromWire(query: { readonly from?: string; readonly to?: string }): TimeRange {
  const from = query.from === undefined ? undefined : firstInstantOf(query.from);
  const to = query.to === undefined ? undefined : lastInstantOf(query.to);
  if (from !== undefined && to !== undefined && from > to)
    throw invalidField('from', 'must not be after `to`');
  return { from, to };
}
