import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { listApiKeys } from '../api-key-list-store.ts';
import { ApiKeyWire, apiKeyExample, apiKeyToWire } from '../api-key-wire.ts';

export const listApiKeysOperation = readOperation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/brands/:id/keys',
  tag: 'API keys',
  summary: 'List the API keys of a brand',
  description:
    'Lists all keys of the brand that are not deleted, newest first, masked. Includes revoked and expired keys.',
  access: 'admin',
  params: BrandParams,
  query: Type.Object(pageQuery),
  responses: {
    200: {
      description: 'One page of keys.',
      schema: listOf(ApiKeyWire),
      example: exampleListOf(apiKeyExample),
    },
  },
  handle: async ({ database }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const page = pageOf(query);
    const { keys, total } = await listApiKeys(database, brand.id, page);
    return { status: 200, body: { data: keys.map(apiKeyToWire), meta: pageMeta(page, total) } };
  },
});
