import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { FeedObserver } from '../../catalog/feeds/apply-feeds.ts';
import { readOldestFeedAge } from '../../catalog/feeds/queries/unfinished-feeds.ts';
import { collectGauge } from '../../http/metrics.ts';
import type { Database } from '../../postgres/database.ts';

/** Metrics must be served even if the database does not respond. */
const ageLimitMs = 1_000;

/**
 * Counts and logs the outcomes of stock feeds, and measures how fast they are applied. Shows the age of the oldest unfinished
 * feed of all brands, which is the value to set an alarm on; NaN while the database does not respond.
 */
export function observeFeeds(
  registry: Registry,
  database: Database,
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>,
): FeedObserver {
  collectGauge(registry, {
    name: 'brandport_stock_feed_oldest_age_seconds',
    help: 'Age in seconds of the oldest unfinished stock feed, from its receipt; 0 if there is none.',
    read: async (gauge) => {
      const timeout = sleep(ageLimitMs, Number.NaN, { ref: false });
      gauge.set(await Promise.race([readOldestFeedAge(database).catch(() => Number.NaN), timeout]));
    },
  });
  const finished = new Counter({
    name: 'brandport_stock_feeds_finished_total',
    help: 'Stock feeds that this process finished, by status.',
    labelNames: ['status'],
    registers: [registry],
  });
  // An alert on the first one needs the zero before it.
  for (const status of ['completed', 'failed']) finished.inc({ status }, 0);
  const finishedLines = new Counter({
    name: 'brandport_stock_feed_lines_total',
    help: 'Lines of the stock feeds that this process finished, by result.',
    labelNames: ['result'],
    registers: [registry],
  });
  const lines = new Counter({
    name: 'brandport_stock_feed_lines_decided_total',
    help: 'Lines of stock feeds that this process decided, as their chunks commit.',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'brandport_stock_feed_chunk_duration_seconds',
    help: 'Duration of the transactions that decide up to 1,000 lines of a stock feed, in seconds.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    feedFinished: ({ status, counts }, { tuId, brandId, requestId }) => {
      finished.inc({ status });
      for (const [result, count] of Object.entries(counts)) finishedLines.inc({ result }, count);
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
