import { writeOperation } from '../../../api/operation.ts';
import { rotateApiKey } from '../api-key-service.ts';
import {
  expiryFromWire,
  IssuedApiKeyWire,
  issuedApiKeyExample,
  issuedApiKeyToWire,
  KeyParams,
  RotateApiKeyBody,
} from '../api-key-wire.ts';
import { ownedKey } from '../queries/api-key-detail.ts';

export const rotateApiKeyOperation = writeOperation({
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
