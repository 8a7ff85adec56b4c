import { type Static, Type } from 'typebox';
import { DayOrInstant, ExactFilter, exampleIds } from '../../api/field-schemas.ts';
import { pageQuery, timeRangeFromWire } from '../../api/pagination.ts';
import { type FeedStatus, feedStatuses } from './feed.ts';
import type { FeedFilter } from './queries/feed-progress-list.ts';

export const FeedListQuery = Type.Object({
  status: Type.Optional(
    Type.Unsafe<FeedStatus>({
      type: 'string',
      enum: [...feedStatuses],
      examples: ['completed'],
      description: 'Only feeds with this status.',
    }),
  ),
  source: ExactFilter({
    description: 'Only feeds of this source; compared case-sensitively.',
    examples: ['erp'],
  }),
  feed_id: ExactFilter({
    description: 'Only the feed with this id, for a caller who does not know its brand.',
    examples: [exampleIds.feed],
  }),
  refused_lines: Type.Optional(
    Type.Boolean({
      description:
        '`true`: only feeds with lines of an unknown SKU or location, or of one that has no stock; `false`: only feeds without.',
      examples: [true],
    }),
  ),
  from: Type.Optional(
    DayOrInstant({
      description: 'Only feeds received on this UTC day or later, or at this instant or later.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    DayOrInstant({
      description: 'Only feeds received until this UTC day or instant, inclusive.',
      examples: ['2026-03-31'],
    }),
  ),
  ...pageQuery,
});

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
export function feedFilterFromQuery(
  query: Static<typeof FeedListQuery>,
  brandIds: readonly number[] | null,
): FeedFilter {
  const { status, source, feed_id: feedId, refused_lines: refusedLines } = query;
  return { brandIds, status, source, feedId, refusedLines, ...timeRangeFromWire(query) };
}
