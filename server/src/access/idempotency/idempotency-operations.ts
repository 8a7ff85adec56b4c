import { type Static, Type } from 'typebox';
import { NamedObject, Nullable, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../../brands/brand-wire.ts';
import { retentionMs } from './idempotency-key.ts';
import { type KeyUse, listKeyUses } from './idempotency-store.ts';

const KeyUseWire = Type.Object({
  state: Type.String({
    enum: ['running', 'settled'],
    description:
      '`running`: its first request has not finished. `settled`: a retry receives the stored response.',
  }),
  method: Nullable(Type.String()),
  path: Nullable(Type.String(), { description: 'The path as sent, without the query.' }),
  status: Nullable(Type.Integer()),
  key_id: Nullable(Type.String(), { description: 'The API key of the first request.' }),
  request_id: Nullable(Type.String()),
  created_at: Nullable(Timestamp()),
  expires_at: Nullable(Timestamp({ description: 'When the key is free again.' })),
  body: Nullable(Type.String(), { description: 'The stored response, as it was sent.' }),
});

const KeyUsesWire = NamedObject('IdempotencyKeyUses', { data: Type.Array(KeyUseWire) });

/** Shows the state of an Idempotency-Key [internal-72]. */
const listIdempotencyKeyUsesOperation = readOperation({
  id: 'listIdempotencyKeyUses',
  method: 'GET',
  path: '/brands/:id/idempotency-keys/:key',
  tag: 'API keys',
  summary: 'Look up an Idempotency-Key',
  description: `Lists the requests that used the key in the last 24 hours, newest first. Rotated and overlapping API keys share their
Idempotency-Keys; other API keys of the brand do not, so there can be several. An unused or expired key has none.

The batch ids of stock feeds are not listed here: they are kept with the feeds.`,
  access: 'one-brand',
  params: Type.Object({
    ...BrandParams.properties,
    key: Type.String({
      minLength: 1,
      maxLength: 191,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The Idempotency-Key.',
      examples: ['order-1042'],
    }),
  }),
  responses: {
    200: {
      description: 'The uses of the key.',
      schema: KeyUsesWire,
      example: {
        data: [
          {
            state: 'settled',
            method: 'POST',
            path: '/v1/client/catalog/products',
            status: 201,
            key_id: 'tuk_5f0c1b2a3d4e5f60718293a4',
            request_id: '7f4df7c4-6d5e-4d0a-9d3c-0c5f6c1f6a55',
            created_at: '2026-03-01T08:30:00.000Z',
            expires_at: '2026-03-02T08:30:00.000Z',
            body: '{"tu_id":"V1StGXR8_Z5jdHi6B-myT"}',
          },
        ],
      },
    },
  },
  handle: async ({ database, clock }, { params }) => {
    const { id: brandId } = await getBrand(database, brandIdFromPath(params.id));
    const notBefore = new Date(clock.now() - retentionMs);
    const uses = await listKeyUses(database, { brandId, key: params.key }, notBefore);
    return { status: 200, body: { data: uses.map(keyUseToWire) } };
  },
});

function keyUseToWire({ keyId, requestId, response, ...request }: KeyUse): Static<typeof KeyUseWire> {
  const expiresAt = response === null ? null : new Date(response.createdAt.getTime() + retentionMs);
  return {
    ...request,
    status: response?.status ?? null,
    key_id: keyId,
    request_id: requestId,
    created_at: response?.createdAt.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    body: response?.body ?? null,
  };
}

export const idempotencyOperations: readonly Operation[] = [listIdempotencyKeyUsesOperation];
