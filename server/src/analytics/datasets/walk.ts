import { type PageSizes, pageOf } from '../../api/pagination.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSeal } from '../../lib/secrets.ts';
import { addDays, countDays, type Day, type DayRange, yesterdayOf } from '../day.ts';

/** The maximum length of a window, and its default length, in days [analytics-9]. */
export interface WindowRules {
  readonly defaultDays: number;
  readonly capDays: number;
}

interface WindowQuery {
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

/** The request that a cursor is valid for [analytics-23]. */
export interface CursorBinding {
  readonly brandId: number;
  readonly dataset: string;
  /** All filters of the walk by parameter name, without the absent ones. Their order does not matter. */
  readonly filters: Readonly<Record<string, string | boolean | undefined>>;
}

export interface CursorContent {
  /** The resolved window of the walk. A walk that began with defaults keeps them past midnight [D26]. */
  readonly window: DayRange;
  /** The ends of the window that the first request did not specify. */
  readonly defaulted: { readonly from: boolean; readonly to: boolean };
  /** The key of the last row read, in the order of the dataset. */
  readonly position: readonly (number | Day)[];
}

export interface CursorCodec {
  encode(binding: CursorBinding, content: CursorContent): string;
  /** Returns null for a cursor that is not valid for the binding. */
  decode(binding: CursorBinding, text: string): CursorContent | null;
}

/** Part of what cursors are bound to: another number invalidates those in use. */
const version = 1;
const maxAgeMs = 24 * 3_600_000;

interface Payload {
  readonly at: number;
  readonly from: Day;
  readonly to: Day;
  /** 1: `from` was defaulted; 2: `to` was. */
  readonly d: number;
  readonly p: readonly (number | Day)[];
}

/** Creates a codec that encrypts cursors, and authenticates brand, dataset and filters with them [analytics-23]. */
export function createCursorCodec(secrets: readonly [string, ...string[]], clock: Clock): CursorCodec {
  const cursors = createSeal({ secrets, purpose: 'brandport analytics cursor', nonce: 'random' });
  return {
    encode(binding, { window, defaulted, position }) {
      const payload: Payload = {
        at: clock.now(),
        from: window.from,
        to: window.to,
        d: (defaulted.from ? 1 : 0) + (defaulted.to ? 2 : 0),
        p: position,
      };
      return cursors.seal(boundTo(binding), JSON.stringify(payload));
    },
    decode(binding, text) {
      const opened = cursors.open(boundTo(binding), text);
      if (opened === null) return null;
      const { at, from, to, d, p } = JSON.parse(opened) as Payload;
      if (clock.now() - at > maxAgeMs) return null;
      return {
        window: { from, to },
        defaulted: { from: (d & 1) !== 0, to: (d & 2) !== 0 },
        position: p,
      };
    },
  };
}

function boundTo({ brandId, dataset, filters }: CursorBinding): string {
  const named = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([version, brandId, dataset, named]);
}

type Position = CursorContent['position'];

export interface WalkQuery extends WindowQuery {
  readonly cursor?: string;
  readonly per_page?: number;
}

/** One page of a walk over a dataset in its keyset order. */
interface Walk {
  readonly range: DayRange;
  /** The key of the last row of the previous page; null on the first page. */
  readonly after: Position | null;
  readonly perPage: number;
  /** Cuts the rows that were read (`perPage + 1` were requested) into the page and the cursor of the next one. */
  cut<Row>(rows: readonly Row[], positionOf: (row: Row) => Position): CutPage<Row>;
}

interface CutPage<Row> {
  readonly rows: readonly Row[];
  readonly meta: { readonly per_page: number; readonly next_cursor: string | null };
}

/** Page sizes of the cursor lists [analytics-21]. */
export const keysetSizes: PageSizes = { default: 100, max: 500 };

/**
 * A cursor has to match the brand, dataset, filters and window; an empty one counts as absent [analytics-26].
 * @throws ApiError `validation_failed`, `date_range_too_large`, `invalid_cursor`
 */
export function readWalk(
  { clock, analyticsCursors }: { readonly clock: Clock; readonly analyticsCursors: CursorCodec },
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
  const { size: perPage } = pageOf(query, keysetSizes);
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
