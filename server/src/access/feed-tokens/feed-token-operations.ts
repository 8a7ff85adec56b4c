import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, Text, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { recordAudit } from '../../audit/audit-store.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { type FeedToken, feedTokenIdFromPath, maskedFeedToken, newFeedToken } from './feed-token.ts';
import { deleteFeedTokenRow, insertFeedToken, listFeedTokens, ownedFeedToken } from './feed-token-store.ts';

interface IssuedFeedToken {
  readonly token: FeedToken;
  /** `cfk_<40 characters>`; known only now. */
  readonly plaintext: string;
}

/** Issues a token for the legacy stock feed path, in the caller's transaction. @throws ApiError `not_found` without the brand */
async function createFeedToken(
  tx: AuditedTransaction,
  brandId: number,
  name: string,
): Promise<IssuedFeedToken> {
  await getBrand(tx, brandId);
  const { plaintext, ...made } = newFeedToken();
  const token = await insertFeedToken(tx, { brandId, name, ...made });
  await recordAudit(tx, {
    action: 'feed_token.create',
    brandId,
    resourceType: 'feed_token',
    resourceId: String(token.id),
    details: { name },
  });
  return { token, plaintext };
}

/** Deletes a token, in the caller's transaction; its next request is refused. @throws ApiError `not_found` */
async function deleteFeedToken(tx: AuditedTransaction, id: number): Promise<void> {
  const token = await deleteFeedTokenRow(tx, id);
  if (token === null) throw notFound();
  await recordAudit(tx, {
    action: 'feed_token.delete',
    brandId: token.brandId,
    resourceType: 'feed_token',
    resourceId: String(id),
    details: { name: token.name },
  });
}

const CreateFeedTokenBody = NamedObject('FeedTokenCreate', {
  name: Text({
    max: 255,
    description: 'A label for the token, such as the system that uses it.',
    examples: ['ERP'],
  }),
});

/** Accepts any string, because a non-numeric id is a 404, not a 422. */
const FeedTokenParams = Type.Object({
  id: Type.String({ description: 'Id of the feed token, an integer.', examples: ['1'] }),
});

const FeedTokenWire = NamedObject('FeedToken', {
  id: Type.Integer(),
  brand_id: Type.Integer(),
  name: Type.String(),
  masked: Type.String({ description: 'The token, masked except for its last four characters.' }),
  last_used_at: Nullable(Timestamp()),
  last_used_from: Nullable(Type.String(), { description: 'The client’s address at the last use.' }),
  created_at: Timestamp(),
});

const IssuedFeedTokenWire = NamedObject('IssuedFeedToken', {
  id: Type.Integer(),
  name: Type.String(),
  token: Nullable(Type.String(), {
    description: 'The complete token. It is shown only once and never stored: null in a replay.',
  }),
});

const feedTokenExample: Static<typeof FeedTokenWire> = {
  id: 1,
  brand_id: 1,
  name: 'ERP',
  masked: 'cfk_…Z4q9',
  last_used_at: null,
  last_used_from: null,
  created_at: '2026-03-01T08:30:00.000Z',
};

const issuedFeedTokenExample: Static<typeof IssuedFeedTokenWire> = {
  id: 1,
  name: 'ERP',
  token: 'cfk_ExampleExampleExampleExampleExampleEZ4q9',
};

function feedTokenToWire(token: FeedToken): Static<typeof FeedTokenWire> {
  return {
    id: token.id,
    brand_id: token.brandId,
    name: token.name,
    masked: maskedFeedToken(token.hint),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_used_from: token.lastUsedFrom,
    created_at: token.createdAt.toISOString(),
  };
}

function issuedFeedTokenToWire({ token, plaintext }: IssuedFeedToken): Static<typeof IssuedFeedTokenWire> {
  return { id: token.id, name: token.name, token: plaintext };
}

const createFeedTokenOperation = writeOperation({
  id: 'createFeedToken',
  method: 'POST',
  path: '/brands/:id/feed-tokens',
  tag: 'Feed tokens',
  summary: 'Issue a legacy feed token',
  description:
    'Creates a token for systems that still send stock to `/v1/catalog/stock/feeds`. It grants no other access. New systems use an API key with `catalog.stock:ingest`. The complete token is returned only in this response.',
  access: 'one-brand',
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
  access: 'one-brand',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of tokens.',
      schema: listOf(FeedTokenWire, 'FeedTokenPage'),
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
