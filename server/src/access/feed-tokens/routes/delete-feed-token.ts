import { writeOperation } from '../../../api/operation.ts';
import { feedTokenIdFromPath } from '../feed-token.ts';
import { deleteFeedToken } from '../feed-token-service.ts';
import { ownedFeedToken } from '../feed-token-store.ts';
import { FeedTokenParams } from '../feed-token-wire.ts';

export const deleteFeedTokenOperation = writeOperation({
  id: 'deleteFeedToken',
  method: 'DELETE',
  path: '/feed-tokens/:id',
  tag: 'Feed tokens',
  summary: 'Delete a legacy feed token',
  description: 'Rejects requests with the token from now on. Its audit entries are kept.',
  access: ownedFeedToken,
  params: FeedTokenParams,
  responses: { 204: { description: 'The token was deleted.' } },
  handle: async (tx, { params }) => {
    await deleteFeedToken(tx, feedTokenIdFromPath(params.id));
    return { status: 204 };
  },
});
