import { Type } from 'typebox';
import { readOperation } from '../../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../../api/pagination.ts';
import { getBrand } from '../../../brands/brand-service.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { ApiKeyDetailWire, apiKeyDetailExample, apiKeyDetailToWire } from '../api-key-wire.ts';
import { type KeyState, keyStates, listApiKeys } from '../queries/api-key-list.ts';

export const listApiKeysOperation = readOperation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/brands/:id/keys',
  tag: 'API keys',
  summary: 'List the API keys of a brand',
  description:
    'Lists all keys of the brand that are not deleted, newest first, masked. Includes revoked and expired keys, unless you send `state`.',
  access: 'brand',
  params: BrandParams,
  query: Type.Object({
    state: Type.Optional(
      Type.Unsafe<KeyState>({
        type: 'string',
        enum: [...keyStates],
        description:
          'Only keys in this state. A revoked key is `revoked`, whether it has expired or not; `active` keys are neither.',
        examples: ['active'],
      }),
    ),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'One page of keys.',
      schema: listOf(ApiKeyDetailWire),
      example: exampleListOf(apiKeyDetailExample),
    },
  },
  handle: async ({ database, clock }, { params, query }) => {
    const brand = await getBrand(database, brandIdFromPath(params.id));
    const filter = { brandId: brand.id, state: query.state, now: new Date(clock.now()) };
    return pageReply(query, (page) => listApiKeys(database, filter, page), apiKeyDetailToWire);
  },
});
