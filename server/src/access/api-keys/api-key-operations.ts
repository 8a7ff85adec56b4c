import { Type } from 'typebox';
import { type Operation, readOperation, writeOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageReply } from '../../api/pagination.ts';
import { tagHeaders } from '../../api/reply.ts';
import { getBrand } from '../../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath, brandQuery } from '../../brands/brand-wire.ts';
import { apiKeyTag } from './api-key.ts';
import {
  createApiKey,
  deleteApiKey,
  revokeApiKey,
  revokeWholeApiKey,
  rotateApiKey,
  updateApiKey,
} from './api-key-service.ts';
import { getApiKey, listApiKeys, ownedKey } from './api-key-store.ts';
import {
  ApiKeyDetailWire,
  ApiKeyListQuery,
  ApiKeyWire,
  apiKeyChangeFromWire,
  apiKeyDetailExample,
  apiKeyDetailToWire,
  apiKeyExample,
  apiKeyRequestFromWire,
  apiKeyToWire,
  CreateApiKeyBody,
  expiryFromWire,
  IssuedApiKeyWire,
  issuedApiKeyExample,
  issuedApiKeyToWire,
  KeyParams,
  keyIdsQuery,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from './api-key-wire.ts';

const createApiKeyOperation = writeOperation({
  id: 'createApiKey',
  method: 'POST',
  path: '/brands/:id/keys',
  tag: 'API keys',
  summary: 'Issue an API key',
  description:
    'Creates a key for one brand. The complete key is returned only in this response; if it is lost, rotate the key. The scopes of an issued key can only become fewer. With `replaces_key_id`, the new key replaces an existing one, and both work until you revoke the old one.',
  access: 'one-brand',
  params: BrandParams,
  body: CreateApiKeyBody,
  bodyExample: {
    name: 'PIM',
    scopes: ['catalog.products:read', 'catalog.products:write'],
    expires_at: '2027-01-01T00:00:00Z',
  },
  idempotency: 'optional',
  secretField: 'api_key',
  responses: {
    201: { description: 'The key with its secret.', schema: IssuedApiKeyWire, example: issuedApiKeyExample },
  },
  handle: async (tx, { params, body }, { clock }) => {
    const issued = await createApiKey(tx, clock, apiKeyRequestFromWire(brandIdFromPath(params.id), body));
    return { status: 201, body: issuedApiKeyToWire(issued) };
  },
});

const listApiKeysOperation = readOperation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/brands/:id/keys',
  tag: 'API keys',
  summary: 'List the API keys of a brand',
  description:
    'Lists all keys of the brand that are not deleted, newest first, masked. Includes revoked and expired keys, unless you send `state`.',
  access: 'one-brand',
  params: BrandParams,
  query: ApiKeyListQuery,
  responses: {
    200: {
      description: 'One page of keys.',
      schema: listOf(ApiKeyDetailWire, 'ApiKeyPage'),
      example: exampleListOf(apiKeyDetailExample),
    },
  },
  handle: async ({ database, clock }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const { state, q: search, sort } = query;
    const filter = { brandId: brand.id, state, search, now: new Date(clock.now()) };
    return pageReply(query, (page) => listApiKeys(database, filter, page, sort), apiKeyDetailToWire);
  },
});

/** [internal-199] */
const listAllApiKeysOperation = readOperation({
  id: 'listAllApiKeys',
  method: 'GET',
  path: '/keys',
  tag: 'API keys',
  summary: 'List the API keys of all brands',
  description: 'Lists the keys of all brands that the caller may see, as the list of a brand does.',
  access: 'filtered-by-brand',
  query: Type.Object({ ...brandQuery, ...keyIdsQuery, ...ApiKeyListQuery.properties }),
  responses: {
    200: {
      description: 'One page of keys.',
      schema: listOf(ApiKeyDetailWire, 'ApiKeyPage'),
      example: exampleListOf(apiKeyDetailExample),
    },
  },
  handle: async ({ database, clock }, { query, brandIds }) => {
    const { brand_id: brandId, key_id: ids, state, q: search, sort } = query;
    const now = new Date(clock.now());
    const filter = { brandId, brandIds, keyIds: ids?.split(','), state, search, now };
    return pageReply(query, (page) => listApiKeys(database, filter, page, sort), apiKeyDetailToWire);
  },
});

const rotateApiKeyOperation = writeOperation({
  id: 'rotateApiKey',
  method: 'POST',
  path: '/keys/:key_id/rotate',
  tag: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Creates a successor with the same brand, name and scopes, and revokes the key at the same moment. The successor expires when the key does, unless you send `expires_at`, which is required if the key has expired. The successor shares the Idempotency-Keys of its predecessor, so retries remain safe. The complete key is returned only in this response. To let two keys overlap, create a key with `replaces_key_id` instead.',
  access: ownedKey,
  params: KeyParams,
  body: RotateApiKeyBody,
  bodyOptional: true,
  bodyExample: { expires_at: '2028-01-01T00:00:00Z' },
  idempotency: 'optional',
  secretField: 'api_key',
  responses: {
    201: {
      description: 'The successor with its secret.',
      schema: IssuedApiKeyWire,
      example: {
        ...issuedApiKeyExample,
        key_id: 'tuk_76543210fedcba9876543210',
        masked: 'tuk_76543210fedcba9876543210.…',
        expires_at: '2028-01-01T00:00:00.000Z',
        rotated_from_key_id: issuedApiKeyExample.key_id,
        api_key: 'tuk_76543210fedcba9876543210.ExampleExampleExampleExampleExampleExamp',
      },
    },
  },
  errors: ['conflict'],
  handle: async (tx, { params, body }, { clock }) => {
    const issued = await rotateApiKey(tx, clock, params.key_id, expiryFromWire(body));
    return { status: 201, body: issuedApiKeyToWire(issued) };
  },
});

const revokeApiKeyOperation = writeOperation({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/keys/:key_id/revoke',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'After this response, every process rejects requests with the key. A revocation cannot be undone. Revoking a revoked key changes nothing; `revoked_at` keeps its first value.\n\nA whole key instead of its id revokes the key as well, if its secret is the real one; otherwise the response is 404.',
  access: ownedKey,
  params: KeyParams,
  responses: {
    200: {
      description: 'The revoked key.',
      schema: ApiKeyWire,
      example: { ...apiKeyExample, revoked_at: '2026-03-02T10:00:00.000Z' },
    },
  },
  handle: async (tx, { params }) => {
    // A public id has no dot.
    const revoke = params.key_id.includes('.') ? revokeWholeApiKey : revokeApiKey;
    return { status: 200, body: apiKeyToWire(await revoke(tx, params.key_id)) };
  },
});

/** Shows a key and its lineage [internal-74]. */
const getApiKeyOperation = readOperation({
  id: 'getApiKey',
  method: 'GET',
  path: '/keys/:key_id',
  tag: 'API keys',
  summary: 'Retrieve an API key',
  description: 'Returns the masked key, revoked or expired as well, and the keys of its lineage.',
  access: ownedKey,
  params: KeyParams,
  responses: {
    200: {
      description: 'The key.',
      schema: ApiKeyDetailWire,
      headers: tagHeaders,
      example: apiKeyDetailExample,
    },
  },
  handle: async ({ database }, { params }) => {
    const key = await getApiKey(database, params.key_id);
    return { status: 200, headers: { etag: apiKeyTag(key) }, body: apiKeyDetailToWire(key) };
  },
});

/** [internal-198] */
const updateApiKeyOperation = writeOperation({
  id: 'updateApiKey',
  method: 'PATCH',
  path: '/keys/:key_id',
  tag: 'API keys',
  summary: 'Update an API key',
  description:
    'Renames a key, changes when it expires, or removes scopes; omitted fields are left unchanged. To add scopes, issue a key with `replaces_key_id`. Requests see the change after this response. A revoked key is 409. With `If-Match`, a key that somebody has changed since you read it is not changed: 412 `precondition_failed`.',
  access: ownedKey,
  params: KeyParams,
  body: UpdateApiKeyBody,
  takesIfMatch: true,
  bodyExample: { name: 'PIM, read only', scopes: ['catalog.products:read'] },
  responses: {
    200: {
      description: 'The updated key.',
      schema: ApiKeyWire,
      headers: tagHeaders,
      example: { ...apiKeyExample, name: 'PIM, read only', scopes: ['catalog.products:read'] },
    },
  },
  errors: ['conflict', 'precondition_failed'],
  handle: async (tx, { params, body, ifMatch }, { clock }) => {
    const key = await updateApiKey(tx, clock, params.key_id, { ...apiKeyChangeFromWire(body), ifMatch });
    return { status: 200, headers: { etag: apiKeyTag(key) }, body: apiKeyToWire(key) };
  },
});

const deleteApiKeyOperation = writeOperation({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/keys/:key_id',
  tag: 'API keys',
  summary: 'Delete an API key',
  description:
    'Removes the key from lists and rejects its requests from now on. Its audit entries are kept. To keep the key visible, revoke it instead.',
  access: ownedKey,
  params: KeyParams,
  responses: { 204: { description: 'The key was deleted.' } },
  handle: async (tx, { params }) => {
    await deleteApiKey(tx, params.key_id);
    return { status: 204 };
  },
});

export const apiKeyOperations: readonly Operation[] = [
  createApiKeyOperation,
  listApiKeysOperation,
  listAllApiKeysOperation,
  rotateApiKeyOperation,
  revokeApiKeyOperation,
  getApiKeyOperation,
  updateApiKeyOperation,
  deleteApiKeyOperation,
];
