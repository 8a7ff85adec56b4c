import { Type } from 'typebox';
import { Nullable, Timestamp } from '../api/field-schemas.ts';
import { type Operation, readOperation } from '../api/operation.ts';
import { scopes } from '../api/scopes.ts';

export const KeyStatusWire = Type.Object({
  brand_id: Type.Integer(),
  key_id: Type.String({ description: 'The public id of the key; not a secret.' }),
  name: Nullable(Type.String()),
  scopes: Type.Array(Type.String({ enum: [...scopes] })),
  expires_at: Nullable(Timestamp()),
});

/** Needs a valid key and no scope [catalog-1]. */
const getCatalogStatusOperation = readOperation({
  id: 'getCatalogStatus',
  method: 'GET',
  path: '/status',
  tag: 'Status',
  summary: 'Get the current API key',
  description:
    'Returns the key’s brand, name, scopes and expiry. Use it to check the credentials of a deployment.',
  access: [],
  responses: {
    200: {
      description: 'The key.',
      schema: KeyStatusWire,
      example: {
        brand_id: 1,
        key_id: 'tuk_0123456789abcdef01234567',
        name: 'ERP',
        scopes: ['catalog.products:read', 'catalog.products:write'],
        expires_at: null,
      },
    },
  },
  handle: async (_context, { caller }) => ({
    status: 200,
    body: {
      brand_id: caller.brandId,
      key_id: caller.keyId,
      name: caller.keyName,
      scopes: scopes.filter((scope) => caller.scopes.has(scope)),
      expires_at: caller.expiresAt?.toISOString() ?? null,
    },
  }),
});

export const statusOperations: readonly Operation[] = [getCatalogStatusOperation];
