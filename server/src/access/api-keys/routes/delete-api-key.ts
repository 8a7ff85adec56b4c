import { writeOperation } from '../../../api/operation.ts';
import { deleteApiKey } from '../api-key-service.ts';
import { KeyParams } from '../api-key-wire.ts';

export const deleteApiKeyOperation = writeOperation({
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/keys/:key_id',
  tag: 'API keys',
  summary: 'Delete an API key',
  description:
    'Takes the key out of the lists; its requests are refused from then on. Its audit entries stay. To keep a trace of the key itself, revoke it.',
  access: 'admin',
  idempotency: 'ignored',
  params: KeyParams,
  responses: { 204: { description: 'The key is gone.' } },
  handle: async (tx, { params }) => {
    await deleteApiKey(tx, params.key_id);
    return { status: 204 };
  },
});
