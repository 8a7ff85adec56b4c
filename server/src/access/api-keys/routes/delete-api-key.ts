import { writeOperation } from '../../../api/operation.ts';
import { deleteApiKey } from '../api-key-service.ts';
import { KeyParams } from '../api-key-wire.ts';
import { ownedKey } from '../queries/api-key-detail.ts';

export const deleteApiKeyOperation = writeOperation({
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
