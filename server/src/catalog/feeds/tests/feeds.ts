/** Shared by the tests of feeds. */
import assert from 'node:assert/strict';
import type { ApiClient, ApiResponse } from '../../../../test/support/api-client.ts';
import type { TestDatabase } from '../../../../test/support/test-database.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { randomHex } from '../../../lib/ids.ts';
import { assertStockTrue } from '../../stock/tests/stock.ts';

export interface SentLine {
  readonly sku: string;
  readonly location_code: string;
  readonly quantity: number;
  readonly reserved?: number;
  readonly updated_at?: string;
}

export const feedsPath = '/catalog/stock/feeds';

/** Sends a feed under a new batch id, unless one is given. */
export function sendFeed(
  client: ApiClient,
  lines: readonly SentLine[],
  batchId = randomHex(16),
): Promise<ApiResponse> {
  return client.post(feedsPath, { source: 'test', mode: 'snapshot', lines }, { 'idempotency-key': batchId });
}

/** An observer of `applyBrandFeeds` for tests that look at the feeds only. */
export const unobserved = { feedFinished: () => {}, chunkFailed: () => {} };
/** Fails a test whose chunk fails. */
export const strictObserver = {
  feedFinished: () => {},
  chunkFailed: (_: string, error: unknown) => assert.ifError(error),
};

/** Limits `applyBrandFeeds` to chunks of some lines. */
export function chunksOf(lines: number) {
  return { lines, note: () => {} };
}

/** Waits until a feed is finished and returns its report, with the first page of lines. */
export async function reportOf(client: ApiClient, feedId: string, limitMs = 60_000) {
  return waitFor(
    `the end of feed ${feedId}`,
    async () => {
      const { json } = await client.get(`${feedsPath}/${feedId}?per_page=500`);
      return json.status === 'completed' || json.status === 'failed' ? json : null;
    },
    limitMs,
  );
}

/** Sends a feed, waits until it is finished, and returns the results of its lines (at most 500). */
export async function applyFeed(client: ApiClient, lines: readonly SentLine[]): Promise<string[]> {
  const sent = await sendFeed(client, lines);
  assert.equal(sent.status, 202, sent.text);
  const report = await reportOf(client, sent.json.feed_id);
  assert.equal(report.status, 'completed', report.message);
  assertTotalsAddUp(report.totals);
  return report.lines.data.map(({ result }: { result: string }) => result);
}

export function assertTotalsAddUp({ received, ...results }: Record<string, number>): void {
  const sum = Object.values(results).reduce((total, lines) => total + lines, 0);
  assert.equal(sum, received, 'the totals of results add up to received');
}

/** Creates simple products, many at once. */
export async function addProducts(
  { sql }: TestDatabase,
  brandId: number,
  skus: readonly string[],
): Promise<void> {
  await sql(
    `with claimed as (
       insert into sku_claims (brand_id, sku, kind, tu_id)
       select $1, sku, 'product', 'p-' || sku from unnest($2::text[]) as sku
       returning sku, tu_id
     ), made as (
       insert into products (brand_id, tu_id, sku, type, title, default_language, versions, price_value,
         price_currency, tax_class, is_active, created_at, updated_at)
       select $1, tu_id, sku, 'simple', sku, 'en', '{}', 1, 'EUR', 'standard', true, now(), now() from claimed
       returning id
     )
     insert into product_stock (brand_id, product_id) select $1, id from made`,
    [brandId, skus],
  );
}

export interface StoredLevel {
  readonly quantity: number;
  readonly reserved: number;
  readonly source_updated_at: Date;
  readonly is_from_feed: boolean;
}

/** Returns the levels of a brand by `sku@location`. */
export async function levelsOf({ sql }: TestDatabase, brandId: number): Promise<Map<string, StoredLevel>> {
  const rows = await sql<StoredLevel & { place: string }>(
    `select sku || '@' || location_code as place, quantity, reserved, source_updated_at, is_from_feed
     from stock_levels where brand_id = $1`,
    [brandId],
  );
  return new Map(rows.map(({ place, ...level }) => [place, level]));
}

/** Asserts the invariants after any operation: stock is true, and the totals of feeds are the counts of their lines. */
export async function assertFeedsTrue(database: TestDatabase): Promise<void> {
  await assertStockTrue(database);
  const totals = await database.sql(
    `select f.tu_id, f.totals, t.counts from stock_feeds f
     cross join lateral (
       select coalesce(jsonb_object_agg(result, lines), '{}') as counts
       from (
         select l.result, count(*) as lines from stock_feed_lines l
         where l.brand_id = f.brand_id and l.feed_id = f.id and l.result is not null
         group by l.result
       ) x
     ) t
     where f.totals <> t.counts
       or f.status = 'completed'
         and f.received_lines <> (select sum(value::integer) from jsonb_each_text(f.totals))`,
  );
  assert.deepEqual(totals, []);
}
