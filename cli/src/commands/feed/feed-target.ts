import type { Brandport, SubmittedFeed } from '@brandport/client';
import { type FeedState, findFeedState, statePathOf } from '../../feed/feed-state.ts';
import { reopenFeed } from '../../feed/resend-feed.ts';

/** Returns the feed that a file was sent as, or the one of a feed id. */
export async function feedOf(brandport: Brandport, target: string): Promise<SubmittedFeed> {
  const state = await findFeedState(statePathOf(target));
  return reopenFeed(brandport, state ?? stateOfId(target));
}

function stateOfId(feedId: string): FeedState {
  const part = { feedId, batchId: feedId, firstLine: 0, lines: 0, isNew: false, bodyDiffers: false };
  return {
    brandport_feed: 1,
    source: '',
    base_batch_id: feedId,
    batch_id: feedId,
    file_lines: 0,
    places: null,
    round: 0,
    parts: [part],
  };
}
