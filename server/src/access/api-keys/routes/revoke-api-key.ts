import { writeOperation } from '../../../api/operation.ts';
import { revokeApiKey, revokeWholeApiKey } from '../api-key-service.ts';
import { ApiKeyWire, apiKeyExample, apiKeyToWire, KeyParams } from '../api-key-wire.ts';
import { ownedKey } from '../queries/api-key-detail.ts';

export const revokeApiKeyOperation = writeOperation({
  id: 'revokeApiKey',
  method: 'POST',
  path: '/keys/:key_id/revoke',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description:
    'After this response, every process rejects requests with the key. A revocation cannot be undone. Revoking a revoked key changes nothing; `revoked_at` keeps its first value.\n\nA whole key instead of its id revokes the key as well, if its secret is the real one; otherwise the response is 404. Proxies may log paths: `POST /leaks` takes whole keys in its body.',
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
