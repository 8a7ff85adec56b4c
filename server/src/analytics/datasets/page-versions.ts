import type { VersionNow } from '../../api/operation.ts';
import type { ReplyVersion } from '../../api/reply.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import type { DayRange } from '../day.ts';
import { findDirectoryVersion } from '../directory-reads-store.ts';
import type { DatasetName, WindowState } from '../store/datasets.ts';

/** The headers of every page of the data endpoints, for the reference [analytics-48]. */
export const windowHeaders = {
  'Brandport-Window-Revision': {
    description:
      'The greatest revision of the days of the window; 0 if none is aggregated. If the last page of a walk has another one than the first, days changed in between: repeat the walk.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 57,
  },
  'Brandport-Latest-Date': {
    description: 'The `latest_date` of the dataset; absent before the first aggregation.',
    schema: { type: 'string', format: 'date' },
    example: '2026-03-01',
  },
};

/** The time for which a tag of a page with a cursor is valid: half of the cursor's, so that the rest can still be read. */
const cursorFreshMs = 12 * 3_600_000;

interface PageState {
  /** The days that can have rows. */
  readonly range: DayRange;
  readonly window: WindowState;
  /** The version of the directory; null if the rows show nothing of it. */
  readonly directory: string | null;
}

/** Returns the headers and the version of a page [analytics-49]. `next_cursor`: the one that is in its body. */
export function versionedPage(
  page: PageState,
  { next_cursor }: { readonly next_cursor: string | null },
  now: number,
): VersionNow & { readonly version: ReplyVersion } {
  const { state, headers } = versionNow(page);
  const freshUntil = next_cursor === null ? null : now + cursorFreshMs;
  return { state, headers, version: { state, freshUntil, isKept: false } };
}

/** Reads the version of a page without its rows. */
export async function readPageVersion(
  { database, analytics }: Pick<AnalyticsContext, 'database' | 'analytics'>,
  brandId: number,
  { dataset, range, showsDirectory }: { dataset: DatasetName; range: DayRange; showsDirectory: boolean },
): Promise<VersionNow> {
  const [window, directory] = await Promise.all([
    analytics.readWindow(brandId, dataset, range),
    showsDirectory ? findDirectoryVersion(database, brandId) : null,
  ]);
  return versionNow({ range, window, directory });
}

function versionNow({ range, window, directory }: PageState): VersionNow {
  const { revision, latestDay, version } = window;
  return {
    // The range depends on the clock: without `to`, and up to yesterday.
    state: [range.from, range.to, version, directory ?? ''].join(' '),
    headers: {
      'brandport-window-revision': String(revision),
      ...(latestDay !== null && { 'brandport-latest-date': latestDay }),
    },
  };
}
