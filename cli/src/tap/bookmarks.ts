import type { DatasetName } from '../columns/dataset-table.ts';
import { UsageError } from '../errors/cli-error.ts';
import type { Day } from '../pull/days.ts';
import type { KnownDays } from '../pull/plan-days.ts';

/** The place of a stream. */
export interface Bookmark {
  /** The days from `first` to `through` are current as of this revision; null without revisions. */
  readonly revision: number | null;
  readonly first: Day | null;
  readonly through: Day | null;
  /** Without revisions: `through` of the last run that sent all days. */
  readonly swept: Day | null;
  /** The days that an unfinished run has sent, and their revisions. Empty after a complete run. */
  readonly days: Readonly<Record<Day, number | null>>;
}

/** The value of a STATE message. */
export interface TapState {
  readonly brand_id: number;
  readonly bookmarks: Readonly<Partial<Record<DatasetName, Bookmark>>>;
}

export const noBookmark: Bookmark = { revision: 0, first: null, through: null, swept: null, days: {} };

/** Checks a state that an earlier run has sent, or its STATE message; an empty one is a first run. @throws UsageError */
export function parseTapState(given: unknown, brandId: number): TapState {
  const { type, value } = (given ?? {}) as { type?: unknown; value?: unknown };
  const state = ((type === 'STATE' ? value : given) ?? {}) as Partial<TapState>;
  const { brand_id = brandId, bookmarks = {} } = state;
  if (brand_id !== brandId)
    throw new UsageError(
      `The state is of brand ${brand_id}, and the key is of ${brandId}: use another state.`,
    );
  if (state.bookmarks === undefined && Object.keys(state).length > 0)
    throw new UsageError('The state has no bookmarks: use the value of the last STATE message of a run.');
  return { brand_id, bookmarks };
}

/** Returns what a bookmark says about the days of a stream. */
export function knownByBookmark(bookmark: Bookmark, startDate: Day | undefined): KnownDays {
  const { revision, first, through, swept, days } = bookmark;
  const isSent = (day: Day) => first !== null && through !== null && day >= first && day <= through;
  return {
    since: revision ?? 0,
    from: startDate ?? null,
    swept,
    revisionOf: (day) => (Object.hasOwn(days, day) ? days[day] : isSent(day) ? revision : undefined),
  };
}
