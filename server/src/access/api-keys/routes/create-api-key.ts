import { writeOperation } from '../../../api/operation.ts';
import { BrandParams, brandIdFromPath } from '../../../brands/brand-wire.ts';
import { createApiKey } from '../api-key-service.ts';
import {
  apiKeyRequestFromWire,
  CreateApiKeyBody,
  IssuedApiKeyWire,
  issuedApiKeyExample,
  issuedApiKeyToWire,
} from '../api-key-wire.ts';

export const createApiKeyOperation = writeOperation({
  id: 'createApiKey',
  method: 'POST',
  path: '/brands/:id/keys',
  tag: 'API keys',
  summary: 'Issue an API key',
  description:
    'Creates a key for one brand. The complete key is returned only in this response; if it is lost, rotate the key. The scopes of an issued key cannot be changed. With `replaces_key_id`, the new key replaces an existing one, and both work until you revoke the old one.',
  access: 'brand',
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
