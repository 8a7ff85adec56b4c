import { Type } from 'typebox';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { getBrand } from '../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { feedTokenIdFromPath } from './feed-token.ts';
import { createFeedToken, deleteFeedToken } from './feed-token-service.ts';
import { listFeedTokens, ownedFeedToken } from './feed-token-store.ts';
import {
  CreateFeedTokenBody,
  FeedTokenParams,
  FeedTokenWire,
  feedTokenExample,
  feedTokenToWire,
  IssuedFeedTokenWire,
  issuedFeedTokenExample,
  issuedFeedTokenToWire,
} from './feed-token-wire.ts';

const createFeedTokenOperation = writeOperation({
  id: 'createFeedToken',
  method: 'POST',
  path: '/brands/:id/feed-tokens',
  tag: 'Feed tokens',
  summary: 'Issue a legacy feed token',
  description:
    'Creates a token for systems that still send stock to `/v1/catalog/stock/feeds`. It grants no other access. New systems use an API key with `catalog.stock:ingest`. The complete token is returned only in this response.',
  access: 'brand',
  params: BrandParams,
  body: CreateFeedTokenBody,
  bodyExample: { name: 'ERP' },
  idempotency: 'optional',
  secretField: 'token',
  responses: {
    201: { description: 'The token.', schema: IssuedFeedTokenWire, example: issuedFeedTokenExample },
  },
  handle: async (tx, { params, body }) => {
    const issued = await createFeedToken(tx, brandIdFromPath(params.id), body.name);
    return { status: 201, body: issuedFeedTokenToWire(issued) };
  },
});

const listFeedTokensOperation = readOperation({
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

const deleteFeedTokenOperation = writeOperation({
  id: 'deleteFeedToken',
  method: 'DELETE',
  path: '/feed-tokens/:id',
  tag: 'Feed tokens',
  summary: 'Delete a legacy feed token',
  description: 'Rejects requests with the token from now on. Its audit entries are kept.',
  access: ownedFeedToken,
  params: FeedTokenParams,
  responses: { 204: { description: 'The token was deleted.' } },
  handle: async (tx, { params }) => {
    await deleteFeedToken(tx, feedTokenIdFromPath(params.id));
    return { status: 204 };
  },
});

export const feedTokenOperations: readonly Operation[] = [
  createFeedTokenOperation,
  listFeedTokensOperation,
  deleteFeedTokenOperation,
];
