import type { Operation } from '../../../api/operation.ts';
import { createKeyOperation } from './create-key.ts';
import { deleteKeyOperation } from './delete-key.ts';
import { listKeysOperation } from './list-keys.ts';
import { revokeKeyOperation } from './revoke-key.ts';
import { rotateKeyOperation } from './rotate-key.ts';

export const apiKeyOperations: readonly Operation[] = [
  createKeyOperation, // POST   /brands/:id/keys
  listKeysOperation, //  GET    /brands/:id/keys
  rotateKeyOperation, // POST   /keys/:key_id/rotate
  revokeKeyOperation, // POST   /keys/:key_id/revoke
  deleteKeyOperation, // DELETE /keys/:key_id
];
