import type { PageSizes } from '../../api/pagination.ts';
import { pageOf } from '../../api/pagination.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import type { CursorBinding, CursorContent } from '../cursor-codec.ts';
import { type DayRange, yesterdayOf } from '../day.ts';
import { resolveWindow, servedPart, type WindowQuery, type WindowRules } from './window.ts';

type Position = CursorContent['position'];

export interface WalkQuery extends WindowQuery {
  readonly cursor?: string;
  readonly per_page?: number;
}

/** One page of a walk over a dataset in its keyset order. */
export interface Walk {
  readonly range: DayRange;
  /** The key of the last row of the previous page; null on the first page. */
  readonly after: Position | null;
  readonly perPage: number;
  /** Cuts the rows that were read (`perPage + 1` were requested) into the page and the cursor of the next one. */
  cut<Row>(rows: readonly Row[], positionOf: (row: Row) => Position): CutPage<Row>;
}

export interface CutPage<Row> {
  readonly rows: readonly Row[];
  readonly meta: { readonly per_page: number; readonly next_cursor: string | null };
}

/** Page sizes of the cursor lists [analytics-21]. */
const sizes: PageSizes = { default: 100, max: 500 };

/**
 * A cursor has to match the brand, dataset, filters and window; an empty one counts as absent [analytics-26].
 * @throws ApiError `validation_failed`, `date_range_too_large`, `invalid_cursor`
 */
export function readWalk(
  { clock, analyticsCursors }: Pick<AnalyticsContext, 'clock' | 'analyticsCursors'>,
  binding: CursorBinding,
  query: WalkQuery,
  rules: WindowRules,
): Walk {
  const yesterday = yesterdayOf(clock.now());
  const { cursor = '' } = query;
  const content = cursor === '' ? null : analyticsCursors.decode(binding, cursor);
  // Errors of the query have precedence.
  const window = resolveWindow(query, rules, yesterday, content);
  if (cursor !== '' && !(content !== null && isSameWindow(content.window, window)))
    throw new ApiError('invalid_cursor');
  const defaulted = content?.defaulted ?? { from: query.from === undefined, to: query.to === undefined };
  const { size: perPage } = pageOf(query, sizes);
  return {
    range: servedPart(window, yesterday),
    // Encryption guarantees that `cut` created it for the same dataset.
    after: content?.position ?? null,
    perPage,
    cut(read, positionOf) {
      const rows = read.slice(0, perPage);
      const last = rows.at(-1);
      const hasMore = read.length > perPage && last !== undefined;
      const next = hasMore
        ? analyticsCursors.encode(binding, { window, defaulted, position: positionOf(last) })
        : null;
      return { rows, meta: { per_page: perPage, next_cursor: next } };
    },
  };
}

function isSameWindow(a: DayRange, b: DayRange): boolean {
  return a.from === b.from && a.to === b.to;
}
