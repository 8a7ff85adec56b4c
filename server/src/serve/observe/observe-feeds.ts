import type { FastifyBaseLogger } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import type { FeedObserver } from '../../catalog/feeds/apply-feeds.ts';
import type { Metrics } from '../../http/metrics.ts';

/** Counts and logs the outcomes of stock feeds, and measures how fast they are applied. */
export function observeFeeds(
  metrics: Metrics,
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>,
): FeedObserver {
  const lines = new Counter({
    name: 'brandport_stock_feed_lines_decided_total',
    help: 'Lines of stock feeds that this process decided, as their chunks commit.',
    registers: [metrics.registry],
  });
  const durations = new Histogram({
    name: 'brandport_stock_feed_chunk_duration_seconds',
    help: 'Duration of the transactions that decide up to 1,000 lines of a stock feed, in seconds.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics.registry],
  });
  return {
    feedFinished: (feed, { tuId, brandId, requestId }) => {
      metrics.feedFinished(feed);
      const { status, counts } = feed;
      const ids = { feed_id: tuId, brand_id: brandId, ...(requestId !== null && { reqId: requestId }) };
      logger.info({ ...ids, status, counts }, 'stock feed finished');
    },
    chunkApplied: (count, seconds) => {
      lines.inc(count);
      durations.observe(seconds);
    },
    chunkFailed: (feed_id, err) => logger.error({ err, feed_id }, 'stock feed chunk rolled back'),
  };
}
