import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { reportOf, sendFeed } from '../../feeds/tests/feeds.ts';
import { ok } from '../../tests/new-axes.ts';
import { newLocation, newSimple, newStockedBrand } from './stock.ts';

const apps = await createTestApps({ runsJobs: true });

const movementsOf = (brandId: number) =>
  apps.sql(
    `select note, key_id, request_id, feed_id, feed_line from stock_movements where brand_id = $1 order by id`,
    [brandId],
  );

describe('the origin of a stock movement', () => {
  it('of an adjustment is the key and the request, regardless of its note', async () => {
    const { client, brandId, keyId, tu_id } = await newStockedBrand(apps);
    const path = `/catalog/products/${tu_id}/stock/adjust`;
    const adjust = (requestId: string, body: object) =>
      ok(client.post(path, body, { 'x-request-id': requestId, 'idempotency-key': requestId }));
    await adjust('first', { location: 'WH', quantity: 1 });
    await adjust('second', { location: 'WH', quantity: 2, note: 'Stocktake' });
    await adjust('second', { location: 'WH', quantity: 2, note: 'Stocktake' });
    const origin = { key_id: keyId, feed_id: null, feed_line: null };
    assert.deepEqual(await movementsOf(brandId), [
      { note: `client-api:${keyId}`, ...origin, request_id: 'first' },
      { note: 'Stocktake', ...origin, request_id: 'second' },
    ]);
  });

  it('of adjustments that share a transaction is the request of each', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'WH');
    const products = [];
    for (let n = 0; n < 20; n += 1) products.push(await newSimple(client));
    await Promise.all(
      products.map(({ tu_id, sku }, n) =>
        ok(
          client.post(
            `/catalog/products/${tu_id}/stock/adjust`,
            { location: 'WH', quantity: n + 1 },
            { 'x-request-id': `of-${sku}`, 'idempotency-key': `of-${sku}` },
          ),
        ),
      ),
    );
    const rows = await apps.sql('select sku, request_id from stock_movements where brand_id = $1', [brandId]);
    assert.equal(rows.length, 20);
    for (const { sku, request_id } of rows) assert.equal(request_id, `of-${sku}`);
  });

  it('of a line is the feed and the line; the feed has the key and the request', async () => {
    const { client, brandId, keyId, sku } = await newStockedBrand(apps);
    const line = { sku, location_code: 'WH', quantity: 4 };
    const sent = await sendFeed(client, [{ sku: 'unknown', location_code: 'WH', quantity: 1 }, line]);
    const feedId = sent.json.feed_id;
    await reportOf(client, feedId);
    const [feed] = await apps.sql(
      'select id, submitted_by, request_id from stock_feeds where brand_id = $1',
      [brandId],
    );
    assert.equal(feed?.['submitted_by'], keyId);
    assert.match(feed?.['request_id'], /^[0-9a-f-]{36}$/);
    assert.deepEqual(await movementsOf(brandId), [
      { note: `feed:${feedId}`, key_id: null, request_id: null, feed_id: feed?.['id'], feed_line: 1 },
    ]);
  });

  it('is kept by the first submission of a batch', async () => {
    const { client, brandId, sku } = await newStockedBrand(apps);
    const lines = [{ sku, location_code: 'WH', quantity: 4 }];
    const first = await sendFeed(client, lines, 'batch');
    const second = await sendFeed(client, lines, 'batch');
    assert.deepEqual([first.status, second.status], [202, 200]);
    const feeds = await apps.sql('select request_id from stock_feeds where brand_id = $1', [brandId]);
    assert.deepEqual(feeds, [{ request_id: first.headers['x-request-id'] }]);
  });
});

describe('the record of an Idempotency-Key', () => {
  it('keeps method, path without the query, key and request of the first attempt', async () => {
    const { client, brandId, keyId } = await apps.newBrand();
    const create = (requestId: string) =>
      client.post(
        '/catalog/products?note=1',
        { sku: 'A', title: 'A' },
        { 'idempotency-key': 'k', 'x-request-id': requestId },
      );
    await ok(create('first'), 201);
    await ok(create('retry'), 201);
    const records = await apps.sql(
      'select method, path, key_id, request_id from idempotency_records where brand_id = $1',
      [brandId],
    );
    assert.deepEqual(records, [
      { method: 'POST', path: '/v1/client/catalog/products', key_id: keyId, request_id: 'first' },
    ]);
  });
});
