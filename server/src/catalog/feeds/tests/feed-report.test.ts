import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { addProducts, assertTotalsAddUp, chunksOf, feedsPath, sendFeed, unobserved } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
await addProducts(apps, brandId, ['A', 'B']);

async function work(sliceMs = 60_000): Promise<void> {
  await applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs, size: chunksOf(1_000) });
}

function numbered(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    sku: `S${index}`,
    location_code: 'L',
    quantity: index,
  }));
}

describe('the report of a feed', () => {
  // [catalog-112]
  it('shows the result of each line, with an explanation where needed', async () => {
    const lines = [
      { sku: 'A', location_code: 'L', quantity: 1 },
      { sku: 'B', location_code: 'X', quantity: 1 },
      { sku: 'C', location_code: 'L', quantity: 1 },
      { sku: 'A', location_code: 'L', quantity: 2 },
    ];
    const { json } = await sendFeed(client, lines);
    const path = `${feedsPath}/${json.feed_id}`;
    const before = await ok(client.get(path));
    assert.deepEqual([before.status, before.finished_at], ['queued', null]);
    assert.deepEqual(before.totals, { received: 4, superseded: 1 }, 'what is decided already counts');
    assert.deepEqual(
      before.lines.data.map(({ result }: { result: string | null }) => result),
      ['superseded', null, null, null],
    );
    await work();
    const { received_at, finished_at, ...report } = await ok(client.get(path));
    assert.ok(Date.parse(received_at) <= Date.parse(finished_at));
    assert.deepEqual(report, {
      feed_id: json.feed_id,
      source: 'test',
      status: 'completed',
      totals: { received: 4, superseded: 1, unknown_sku: 1, unknown_location: 1, applied: 1 },
      message: null,
      report_url: `/v1/client${path}`,
      lines: {
        data: [
          {
            line: 0,
            sku: 'A',
            location_code: 'L',
            result: 'superseded',
            message: 'Another line of the feed has a newer quantity for the same SKU and location.',
          },
          {
            line: 1,
            sku: 'B',
            location_code: 'X',
            result: 'unknown_location',
            message: 'The brand has no stock location with this code.',
          },
          {
            line: 2,
            sku: 'C',
            location_code: 'L',
            result: 'unknown_sku',
            message: 'No product or variant of the brand has this SKU.',
          },
          { line: 3, sku: 'A', location_code: 'L', result: 'applied', message: null },
        ],
        meta: { current_page: 1, per_page: 100, total: 4, last_page: 1 },
        dropped_at: null,
      },
    });
  });

  // [catalog-113]
  it('pages the lines in their order: 100 by default, 500 at most, clamped', async () => {
    const { json } = await sendFeed(client, numbered(1_203));
    const path = `${feedsPath}/${json.feed_id}`;
    const page = async (query: string) => (await ok(client.get(`${path}${query}`))).lines;
    const skusOf = (lines: { data: { sku: string }[] }) => lines.data.map(({ sku }) => sku);
    assert.deepEqual((await page('')).meta, { current_page: 1, per_page: 100, total: 1_203, last_page: 13 });
    assert.equal((await page('')).data.length, 100);
    for (const perPage of [500, 501, 100_000])
      assert.deepEqual((await page(`?per_page=${perPage}`)).meta, {
        current_page: 1,
        per_page: 500,
        total: 1_203,
        last_page: 3,
      });
    const walked = [];
    for (const number of [1, 2, 3]) walked.push(...skusOf(await page(`?per_page=500&page=${number}`)));
    assert.deepEqual(
      walked,
      numbered(1_203).map(({ sku }) => sku),
    );
    assert.deepEqual(skusOf(await page('?per_page=1&page=1203')), ['S1202']);
    const beyond = await page('?page=14');
    assert.deepEqual([beyond.data, beyond.meta.current_page, beyond.meta.last_page], [[], 14, 13]);
    assert.deepEqual((await page(`?page=${'9'.repeat(30)}`)).data, []);
    await work();
  });

  it('refuses a page or per_page that is below 1 or not an integer', async () => {
    const { json } = await sendFeed(client, numbered(1));
    for (const value of ['0', '-1', '1.5', 'x', ''])
      for (const name of ['page', 'per_page'])
        assertRefused(
          await client.get(`${feedsPath}/${json.feed_id}?${name}=${value}`),
          'validation_failed',
          [name],
        );
    await work();
  });

  // [catalog-112]
  it('of a feed that is being applied counts the lines decided so far', async () => {
    const { json } = await sendFeed(client, numbered(2_500));
    const path = `${feedsPath}/${json.feed_id}`;
    await work(0.001);
    const { status, totals, finished_at } = await ok(client.get(path));
    assert.deepEqual(
      [status, totals, finished_at],
      ['processing', { received: 2_500, unknown_sku: 1_000 }, null],
    );
    const second = await ok(client.get(`${path}?per_page=500&page=3`));
    assert.deepEqual(
      new Set(second.lines.data.map(({ result }: { result: unknown }) => result)),
      new Set([null]),
    );
    await work();
    const done = await ok(client.get(path));
    assert.equal(done.status, 'completed');
    assertTotalsAddUp(done.totals);
  });
});
