import type { Operation } from '../../../api/operation.ts';
import { createApiKeyOperation } from './create-api-key.ts';
import { deleteApiKeyOperation } from './delete-api-key.ts';
import { getApiKeyOperation } from './get-api-key.ts';
import { listApiKeysOperation } from './list-api-keys.ts';
import { revokeApiKeyOperation } from './revoke-api-key.ts';
import { rotateApiKeyOperation } from './rotate-api-key.ts';

export const apiKeyOperations: readonly Operation[] = [
  createApiKeyOperation, // POST   /brands/:id/keys
  listApiKeysOperation, //  GET    /brands/:id/keys
  rotateApiKeyOperation, // POST   /keys/:key_id/rotate
  revokeApiKeyOperation, // POST   /keys/:key_id/revoke
  getApiKeyOperation, //    GET    /keys/:key_id
  deleteApiKeyOperation, // DELETE /keys/:key_id
];
