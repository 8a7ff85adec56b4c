import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listFeedTokens } from '../feed-token-store.ts';
import { FeedTokenWire, feedTokenExample, feedTokenToWire } from '../feed-token-wire.ts';

export const listFeedTokensOperation = readOperation({
  id: 'listFeedTokens',
  method: 'GET',
  path: '/brands/:id/feed-tokens',
  tag: 'Feed tokens',
  summary: 'List the legacy feed tokens of a brand',
  description: 'Lists all tokens of the brand that are not deleted, newest first, masked.',
  access: 'brand',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of tokens.',
      schema: listOf(FeedTokenWire),
      example: exampleListOf(feedTokenExample),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    return pageReply(query, (page) => listFeedTokens(database, brand.id, page), feedTokenToWire);
  },
});
