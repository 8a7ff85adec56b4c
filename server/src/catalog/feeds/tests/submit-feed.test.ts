import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok, outcomes } from '../../tests/new-axes.ts';
import { feed, line, postFeed, storedFeeds } from './feed-posts.ts';
import { addProducts, assertFeedsTrue, feedsPath, reportOf, sendFeed } from './feeds.ts';

// No worker runs here: the tests check what is stored at the time of the response.
const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();

// [catalog-94]
describe('the Idempotency-Key of a feed', () => {
  it('is required: without it the response is 422 on source_batch_id, not 400', async () => {
    assertRefused(await client.post(feedsPath, feed), 'validation_failed', ['source_batch_id']);
    assertRefused(await client.post(feedsPath, feed, { 'idempotency-key': '' }), 'validation_failed', [
      'source_batch_id',
    ]);
  });

  it('has at most 191 visible ASCII characters', async () => {
    for (const key of ['x'.repeat(192), 'a b', 'ä', '\t', 'a\u007f'])
      assertRefused(await postFeed(client, feed, { 'idempotency-key': key }), 'validation_failed', [
        'source_batch_id',
      ]);
    for (const key of ['x'.repeat(191), '!~'])
      assert.equal((await postFeed(client, feed, { 'idempotency-key': key })).status, 202);
  });

  it('sent twice is refused', async () => {
    const answer = await client.request('POST', feedsPath, {
      body: feed,
      headers: { 'idempotency-key': ['one', 'two'] },
    });
    assertRefused(answer, 'validation_failed', ['source_batch_id']);
  });

  it('is checked before the body', async () => {
    assertRefused(await client.post(feedsPath, '{'), 'validation_failed', ['source_batch_id']);
  });

  it('is independent of the keys of other endpoints', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const first = await postFeed(client, feed, headers);
    assert.equal(first.status, 202);
    assert.equal((await client.post('/catalog/products', { sku: 'SHARED' }, headers)).status, 201);
    assert.equal((await client.post('/catalog/products', { sku: 'SHARED' }, headers)).status, 201);
    const again = await postFeed(client, feed, headers);
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, undefined]);
    assert.equal(again.json.feed_id, first.json.feed_id);
  });
});

describe('a new batch', () => {
  // [catalog-95]
  it('gets 202 with status queued, and is already stored, with its lines and its job', async () => {
    const other = await apps.newBrand();
    const lines = [line, { ...line, sku: 'B', reserved: 2, updated_at: '2026-03-01T10:00:00.5+02:00' }, line];
    const answer = await sendFeed(other.client, lines, 'stored');
    assert.equal(answer.status, 202);
    const { feed_id, ...rest } = answer.json;
    assert.match(feed_id, /^[A-Za-z0-9_-]{21}$/);
    assert.deepEqual(rest, {
      status: 'queued',
      received_lines: 3,
      report_url: `/v1/client/catalog/stock/feeds/${feed_id}`,
    });
    const stored = await apps.sql(
      `select l.line, l.sku, l.quantity, l.reserved, l.result, l.updated_at = f.received_at as is_receipt,
         to_char(l.updated_at, 'HH24:MI:SS.MS') as time
       from stock_feeds f join stock_feed_lines l on l.brand_id = f.brand_id and l.feed_id = f.id
       where f.brand_id = $1 order by l.line`,
      [other.brandId],
    );
    const common = { quantity: 1, reserved: null, result: null, is_receipt: true };
    const receipt = stored[0]?.['time'];
    assert.deepEqual(stored, [
      { ...common, line: 0, sku: 'A', result: 'superseded', time: receipt },
      { ...common, line: 1, sku: 'B', reserved: 2, is_receipt: false, time: '08:00:00.500' },
      { ...common, line: 2, sku: 'A', time: receipt },
    ]);
    const jobs = await apps.sql(`select state, data from pgboss.job where singleton_key = $1`, [
      String(other.brandId),
    ]);
    assert.deepEqual(jobs, [{ state: 'created', data: { brand_id: other.brandId } }]);
  });

  it('is immediately found under its report_url', async () => {
    const { json } = await postFeed(client, feed);
    const report = await apps.clientApp.inject({
      url: json.report_url,
      headers: { authorization: `Bearer ${(await apps.newKey(brandId)).apiKey}` },
    });
    assert.deepEqual([report.statusCode, report.json().status], [200, 'queued']);
  });

  // [catalog-96]
  it('of another brand may have the same id', async () => {
    const other = await apps.newBrand();
    const mine = await sendFeed(client, [line], 'same-name');
    const theirs = await sendFeed(other.client, [line], 'same-name');
    assert.deepEqual([mine.status, theirs.status], [202, 202]);
    assert.notEqual(mine.json.feed_id, theirs.json.feed_id);
  });
});

describe('a batch id seen before', () => {
  // [catalog-96]
  it('gets the existing feed, unchanged, with 200', async () => {
    const first = await sendFeed(client, [line], 'again');
    const before = await storedFeeds(apps);
    const second = await sendFeed(client, [line], 'again');
    assert.deepEqual([second.status, second.json], [200, first.json]);
    assert.equal(second.headers['x-feed-body-differs'], undefined);
    assert.deepEqual(await storedFeeds(apps), before);
  });

  // [catalog-97]
  it('reports in a header that the lines differ, and keeps the first ones', async () => {
    const first = await sendFeed(client, [line], 'differs');
    for (const lines of [
      [{ ...line, quantity: 2 }],
      [line, { ...line, sku: 'B' }],
      [{ ...line, reserved: 0 }],
    ]) {
      const again = await sendFeed(client, lines, 'differs');
      assert.deepEqual([again.status, again.json], [200, first.json]);
      assert.equal(again.headers['x-feed-body-differs'], 'true');
    }
    const same = await client.post(
      feedsPath,
      `{ "mode":"snapshot", "extra": 1, "source":"another", "lines":[{"quantity":1.0,"location_code":"L","sku":"\\u0041"}]}`,
      { 'idempotency-key': 'differs' },
    );
    assert.deepEqual([same.status, same.headers['x-feed-body-differs']], [200, undefined]);
  });

  it('shows the feed’s current status', async () => {
    const sent = await sendFeed(client, [line], 'current');
    await apps.sql(`update stock_feeds set status = 'processing' where tu_id = $1`, [sent.json.feed_id]);
    const again = await sendFeed(client, [line], 'current');
    assert.deepEqual([again.status, again.json.status], [200, 'processing']);
    await apps.sql(`update stock_feeds set status = 'queued' where tu_id = $1`, [sent.json.feed_id]);
  });

  it('with an invalid body is refused like any other', async () => {
    await sendFeed(client, [line], 'broken');
    assertRefused(
      await postFeed(client, { ...feed, lines: [] }, { 'idempotency-key': 'broken' }),
      'validation_failed',
      ['lines'],
    );
  });

  it('in 50 concurrent requests is new once, and 49 get the existing feed', async () => {
    const before = (await storedFeeds(apps))[0];
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendFeed(client, [line], 'race')));
    assert.deepEqual(outcomes(answers), { '200': 49, '202': 1 });
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const after = (await storedFeeds(apps))[0];
    assert.deepEqual(after, {
      feeds: (before?.feeds ?? 0) + 1,
      lines: (before?.lines ?? 0) + 1,
      jobs: (before?.jobs ?? 0) + 1,
    });
  });
});

describe('the access to feeds', () => {
  it('is refused with the scope before a wrong header or body', async () => {
    const { client: reader } = await apps.newKey(brandId, ['catalog.stock:read']);
    assertRefused(await reader.post(feedsPath, '{'), 'insufficient_scope');
  });
});

it('a feed that was only queued is applied as soon as a worker runs', async () => {
  const working = await createTestApps({ runsJobs: true });
  const brand = await working.newBrand();
  await addProducts(working, brand.brandId, ['A']);
  await ok(brand.client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
  const sentAt = Date.now();
  const sent = await sendFeed(brand.client, [line]);
  const report = await reportOf(brand.client, sent.json.feed_id);
  assert.deepEqual(report.totals, { received: 1, applied: 1 });
  assert.ok(Date.parse(report.finished_at) - sentAt < 5_000, 'within seconds');
  await assertFeedsTrue(working);
});
