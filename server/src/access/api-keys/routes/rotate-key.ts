import { writeOperation } from '../../../api/operation.ts';
import { rotateApiKey } from '../api-key-service.ts';
import { IssuedApiKeyWire, issuedApiKeyExample, issuedApiKeyToWire, KeyParams } from '../api-key-wire.ts';

export const rotateKeyOperation = writeOperation({
  id: 'rotateApiKey',
  method: 'POST',
  path: '/keys/:key_id/rotate',
  tag: 'API keys',
  summary: 'Replace an API key',
  description:
    'Makes a successor with the same brand, name, scopes and expiry, and revokes the key at the same moment. The successor shares the Idempotency-Keys of its predecessor, so that retries survive the change. The answer is the only place where the whole successor ever appears.',
  access: 'admin',
  idempotency: 'ignored',
  params: KeyParams,
  responses: {
    201: {
      description: 'The successor, with its secret.',
      schema: IssuedApiKeyWire,
      example: {
        ...issuedApiKeyExample,
        key_id: 'tuk_76543210fedcba9876543210',
        masked: 'tuk_76543210fedcba9876543210.…',
        rotated_from_key_id: issuedApiKeyExample.key_id,
        api_key: 'tuk_76543210fedcba9876543210.ExampleExampleExampleExampleExampleExamp',
      },
    },
  },
  errors: ['conflict'],
  async handle(tx, { params }) {
    const issued = await rotateApiKey(tx, params.key_id);
    return { status: 201, body: issuedApiKeyToWire(issued) };
  },
});
