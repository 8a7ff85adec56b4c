import { writeOperation } from '../../../api/operation.ts';
import { revokeApiKey } from '../api-key-service.ts';
import { ApiKeyWire, apiKeyExample, apiKeyToWire, KeyParams } from '../api-key-wire.ts';

export const revokeApiKeyOperation = writeOperation({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/keys/:key_id/revoke',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'After this response, every process rejects requests with the key. A revocation cannot be undone. Revoking a revoked key changes nothing; `revoked_at` keeps its first value.',
  access: 'brand-resource',
  idempotency: 'ignored',
  params: KeyParams,
  responses: {
    200: {
      description: 'The revoked key.',
      schema: ApiKeyWire,
      example: { ...apiKeyExample, revoked_at: '2026-03-02T10:00:00.000Z' },
    },
  },
  handle: async (tx, { params }) => {
    return { status: 200, body: apiKeyToWire(await revokeApiKey(tx, params.key_id)) };
  },
});
