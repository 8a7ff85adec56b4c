import type { ApiClient, ApiResponse } from '../../../../test/support/api-client.ts';
import type { TestDatabase } from '../../../../test/support/test-database.ts';
import { feedsPath } from './feeds.ts';

export const line = { sku: 'A', location_code: 'L', quantity: 1 };
/** A valid body of a feed. */
export const feed = { source: 'erp', mode: 'snapshot', lines: [line] };

let batches = 0;

/** Sends any body as a feed, under a new batch id, unless one is given. */
export function postFeed(
  client: ApiClient,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  batches += 1;
  return client.post(feedsPath, body, { 'idempotency-key': `batch-${batches}`, ...headers });
}

/** Counts what all feeds have stored. */
export function storedFeeds({ sql }: Pick<TestDatabase, 'sql'>) {
  return sql<{ feeds: number; lines: number; jobs: number }>(
    `select (select count(*) from stock_feeds) as feeds, (select count(*) from stock_feed_lines) as lines,
       (select count(*) from pgboss.job where name = 'apply-stock-feeds') as jobs`,
  );
}
