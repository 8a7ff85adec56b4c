import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { FeedSummaryWire, feedToSummary } from '../feed-wire.ts';
import { listFeeds } from '../queries/list-feeds.ts';
import { feedExample } from './feed-example.ts';

export const listBrandFeedsOperation = readOperation({
  id: 'listBrandFeeds',
  method: 'GET',
  path: '/brands/:id/feeds',
  tag: 'Feeds and jobs',
  summary: 'List the stock feeds of a brand',
  description: 'Lists every accepted feed, newest first, with its status and totals.',
  access: 'brand',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of feeds.',
      schema: listOf(FeedSummaryWire),
      example: exampleListOf(feedExample.summary),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const page = pageOf(query);
    const { feeds, total } = await listFeeds(database, brand.id, page);
    return { status: 200, body: { data: feeds.map(feedToSummary), meta: pageMeta(page, total) } };
  },
});
