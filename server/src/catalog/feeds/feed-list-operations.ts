import { type Static, Type } from 'typebox';
import { DayOrInstant, ExactFilter, exampleIds } from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { sortQuery } from '../../api/sort.ts';
import { timeRangeFromWire } from '../../api/time-range.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { type FeedStatus, feedStatuses } from './feed.ts';
import { feedExample } from './feed-example.ts';
import {
  type FeedFilter,
  feedSortColumns,
  getFeedProgress,
  listFeedProgress,
} from './feed-progress-store.ts';
import { BrandFeedParams, FeedSummaryWire, feedToSummary } from './feed-wire.ts';

const FeedListQuery = Type.Object({
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
  ...sortQuery(
    feedSortColumns,
    '`-received_at`, newest first',
    ` \`lines_left\`: \`failed_lines_left\`, and the lines of a failed feed that have no result. \`duration\`: from the receipt to the
end, or until now.`,
  ),
  ...pageQuery,
});

const pageResponses = {
  200: {
    description: 'One page of feeds.',
    schema: listOf(FeedSummaryWire, 'FeedPage'),
    example: exampleListOf(feedExample.summary),
  },
};

/** Lists feeds across brands [internal-105]. */
const listAllFeedsOperation = readOperation({
  id: 'listAllFeeds',
  method: 'GET',
  path: '/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of all brands',
  description:
    'Lists every accepted feed, the last received first unless sorted, with its status, progress and totals.',
  access: 'filtered-by-brand',
  query: FeedListQuery,
  responses: pageResponses,
  handle: async ({ database }, { query, brandIds }) => {
    const filter = feedFilterFromQuery(query, brandIds);
    return pageReply(query, (page) => listFeedProgress(database, filter, page, query.sort), feedToSummary);
  },
});

const listBrandFeedsOperation = readOperation({
  id: 'listBrandFeeds',
  method: 'GET',
  path: '/brands/:id/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of a brand',
  description:
    'Lists every accepted feed, the last received first unless sorted, with its status, progress and totals.',
  access: 'one-brand',
  params: BrandParams,
  query: FeedListQuery,
  responses: pageResponses,
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const filter = feedFilterFromQuery(query, [brand.id]);
    return pageReply(query, (page) => listFeedProgress(database, filter, page, query.sort), feedToSummary);
  },
});

/** Shows the progress of a feed [internal-105]. */
const getBrandFeedOperation = readOperation({
  id: 'getBrandFeed',
  method: 'GET',
  path: '/brands/:id/feeds/:feed_id',
  tag: 'Feeds and jobs',
  summary: 'Retrieve a stock feed',
  description: 'Returns the status, progress and totals of a feed, and who submitted it.',
  access: 'one-brand',
  params: BrandFeedParams,
  responses: { 200: { description: 'The feed.', schema: FeedSummaryWire, example: feedExample.summary } },
  handle: async ({ database }, { params }) => {
    const feed = await getFeedProgress(database, brandIdFromPath(params.id), params.feed_id);
    return { status: 200, body: feedToSummary(feed) };
  },
});

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
function feedFilterFromQuery(
  query: Static<typeof FeedListQuery>,
  brandIds: readonly number[] | null,
): FeedFilter {
  const { status, source, feed_id: feedId, refused_lines: refusedLines } = query;
  return { brandIds, status, source, feedId, refusedLines, ...timeRangeFromWire(query) };
}

export const feedListOperations: readonly Operation[] = [
  listAllFeedsOperation, //   GET /feeds
  listBrandFeedsOperation, // GET /brands/:id/feeds
  getBrandFeedOperation, //   GET /brands/:id/feeds/:feed_id
];
