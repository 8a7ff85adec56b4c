import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { createFeedToken } from '../feed-token-service.ts';
import {
  CreateFeedTokenBody,
  IssuedFeedTokenWire,
  issuedFeedTokenExample,
  issuedFeedTokenToWire,
} from '../feed-token-wire.ts';

export const createFeedTokenOperation = writeOperation({
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
