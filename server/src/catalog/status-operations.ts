import { Type } from 'typebox';
import { readOwnRefusals } from '../access/refusals/own-refusals-store.ts';
import { includeQuery, ownRefusalExample, ownRefusalsField } from '../access/refusals/own-refusals-wire.ts';
import { scopes } from '../api/access.ts';
import { limitNow, NamedObject, Nullable, Timestamp } from '../api/field-schemas.ts';
import { type Operation, readOperation } from '../api/operation.ts';

const KeyStatusWire = NamedObject('KeyStatus', {
  brand_id: Type.Integer(),
  key_id: Type.String({ description: 'The public id of the key; not a secret.' }),
  name: Nullable(Type.String()),
  scopes: Type.Array(Type.String({ enum: [...scopes] })),
  expires_at: Nullable(Timestamp()),
  rate_limits: Type.Object(
    {
      reads_per_minute: limitNow('GET and HEAD requests of this key'),
      writes_per_minute: limitNow('all other requests of this key'),
      brand_per_minute: limitNow('all requests to the catalog with keys of this brand'),
    },
    { description: 'The limits in force for this key now.' },
  ),
  ...ownRefusalsField,
});

/** Needs a valid key and no scope [catalog-1], and shows its limits [platform-93]. */
const getCatalogStatusOperation = readOperation({
  id: 'getCatalogStatus',
  method: 'GET',
  path: '/status',
  tag: 'Status',
  summary: 'Get the current API key',
  description:
    'Returns the key’s brand, name, scopes, expiry and rate limits. Use it to check the credentials of a deployment. `include=refusals` shows why its last requests were refused.',
  access: [],
  query: Type.Object(includeQuery),
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
        rate_limits: { reads_per_minute: 300, writes_per_minute: 60, brand_per_minute: 600 },
        refusals: [ownRefusalExample],
      },
    },
  },
  handle: async ({ database }, { caller, query }) => ({
    status: 200,
    body: {
      brand_id: caller.brandId,
      key_id: caller.keyId,
      name: caller.keyName,
      scopes: scopes.filter((scope) => caller.scopes.has(scope)),
      expires_at: caller.expiresAt?.toISOString() ?? null,
      rate_limits: {
        reads_per_minute: caller.limits?.catalog_key_reads ?? 0,
        writes_per_minute: caller.limits?.catalog_key_writes ?? 0,
        brand_per_minute: caller.limits?.catalog_brand ?? 0,
      },
      ...(await readOwnRefusals(database, caller, query.include)),
    },
  }),
});

export const statusOperations: readonly Operation[] = [getCatalogStatusOperation];
