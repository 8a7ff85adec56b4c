import type { Operation } from '../../../api/operation.ts';
import { createFeedTokenOperation } from './create-feed-token.ts';
import { deleteFeedTokenOperation } from './delete-feed-token.ts';
import { listFeedTokensOperation } from './list-feed-tokens.ts';

export const feedTokenOperations: readonly Operation[] = [
  createFeedTokenOperation, // POST   /brands/:id/feed-tokens
  listFeedTokensOperation, //  GET    /brands/:id/feed-tokens
  deleteFeedTokenOperation, // DELETE /feed-tokens/:id
];
