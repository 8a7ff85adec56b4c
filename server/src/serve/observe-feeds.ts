import type { FastifyBaseLogger } from 'fastify';
import type { FeedObserver } from '../catalog/feeds/apply-feeds.ts';
import type { Metrics } from '../http/metrics.ts';

/** Counts the outcomes of stock feeds, and logs failures. */
export function observeFeeds(metrics: Metrics, logger: Pick<FastifyBaseLogger, 'error'>): FeedObserver {
  return {
    feedFinished: (feed) => metrics.feedFinished(feed),
    chunkFailed: (feed_id, err) => logger.error({ err, feed_id }, 'stock feed chunk rolled back'),
  };
}
