import { readOperation } from '../../../api/operation.ts';
import { ApiKeyDetailWire, apiKeyDetailExample, apiKeyDetailToWire, KeyParams } from '../api-key-wire.ts';
import { getApiKey, ownedKey } from '../queries/api-key-detail.ts';

/** Shows a key and its lineage [internal-74]. */
export const getApiKeyOperation = readOperation({
  id: 'getApiKey',
  method: 'GET',
  path: '/keys/:key_id',
  tag: 'API keys',
  summary: 'Retrieve an API key',
  description: 'Returns the masked key, revoked or expired as well, and the keys of its lineage.',
  access: ownedKey,
  params: KeyParams,
  responses: {
    200: { description: 'The key.', schema: ApiKeyDetailWire, example: apiKeyDetailExample },
  },
  handle: async ({ database }, { params }) => ({
    status: 200,
    body: apiKeyDetailToWire(await getApiKey(database, params.key_id)),
  }),
});
