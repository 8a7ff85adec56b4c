import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok, outcomes } from '../../tests/new-axes.ts';
import { addProducts, assertFeedsTrue, feedsPath, reportOf, sendFeed } from './feeds.ts';

// No worker runs here: the tests check what is stored at the time of the response.
const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
const line = { sku: 'A', location_code: 'L', quantity: 1 };
const feed = { source: 'erp', mode: 'snapshot', lines: [line] };
let batches = 0;

function post(body: unknown, headers: Record<string, string> = {}) {
  batches += 1;
  return client.post(feedsPath, body, { 'idempotency-key': `batch-${batches}`, ...headers });
}

async function storedFeeds() {
  return apps.sql<{ feeds: number; lines: number; jobs: number }>(
    `select (select count(*) from stock_feeds) as feeds, (select count(*) from stock_feed_lines) as lines,
       (select count(*) from pgboss.job where name = 'apply-stock-feeds') as jobs`,
  );
}

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
      assertRefused(await post(feed, { 'idempotency-key': key }), 'validation_failed', ['source_batch_id']);
    for (const key of ['x'.repeat(191), '!~'])
      assert.equal((await post(feed, { 'idempotency-key': key })).status, 202);
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
    const first = await post(feed, headers);
    assert.equal(first.status, 202);
    assert.equal((await client.post('/catalog/products', { sku: 'SHARED' }, headers)).status, 201);
    assert.equal((await client.post('/catalog/products', { sku: 'SHARED' }, headers)).status, 201);
    const again = await post(feed, headers);
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
    const { json } = await post(feed);
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
    const before = await storedFeeds();
    const second = await sendFeed(client, [line], 'again');
    assert.deepEqual([second.status, second.json], [200, first.json]);
    assert.equal(second.headers['x-feed-body-differs'], undefined);
    assert.deepEqual(await storedFeeds(), before);
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
    assertRefused(await post({ ...feed, lines: [] }, { 'idempotency-key': 'broken' }), 'validation_failed', [
      'lines',
    ]);
  });

  it('in 50 concurrent requests is new once, and 49 get the existing feed', async () => {
    const before = (await storedFeeds())[0];
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendFeed(client, [line], 'race')));
    assert.deepEqual(outcomes(answers), { '200': 49, '202': 1 });
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const after = (await storedFeeds())[0];
    assert.deepEqual(after, {
      feeds: (before?.feeds ?? 0) + 1,
      lines: (before?.lines ?? 0) + 1,
      jobs: (before?.jobs ?? 0) + 1,
    });
  });
});

describe('the body of a feed', () => {
  // [catalog-98]
  it('has mode snapshot; delta is 422', async () => {
    for (const mode of ['delta', 'Snapshot', '', undefined, null, 7])
      assertRefused(await post({ ...feed, mode }), 'validation_failed', ['mode']);
  });

  it('has a source of 1 to 64 characters', async () => {
    for (const source of [undefined, null, 7, '', 'x'.repeat(65), 'a\u0000', '\ud800'])
      assertRefused(await post({ ...feed, source }), 'validation_failed', ['source']);
    for (const source of ['x', '😀'.repeat(64)]) assert.equal((await post({ ...feed, source })).status, 202);
  });

  it('has lines', async () => {
    for (const lines of [undefined, null, {}, 'x', 7, []])
      assertRefused(await post({ ...feed, lines }), 'validation_failed', ['lines']);
  });

  // [catalog-99]
  it('with a line of the wrong shape is refused at its index, and nothing is stored', async () => {
    const before = await storedFeeds();
    const wrong: Record<string, readonly unknown[]> = {
      sku: [undefined, null, 7, '', ' A', 'A\n', 'x'.repeat(192), 'a\u0000b', '\ud800', []],
      location_code: [undefined, null, 7, '', ' L', 'x'.repeat(65), 'a\u0000b'],
      quantity: [undefined, null, '1', 1.5, -1, 2_147_483_648, true, []],
      reserved: [null, '1', 1.5, -1, 2_147_483_648],
      updated_at: [null, 7, '', '2026-03-01', '2026-03-01T10:00:00', '2026-02-30T10:00:00Z', 'now'],
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const lines = [line, { ...line, sku: 'B' }, line, { ...line, [field]: value }];
        assertRefused(await post({ ...feed, lines }), 'validation_failed', [`lines.3.${field}`]);
      }
    for (const value of [null, 7, 'x', []])
      assertRefused(await post({ ...feed, lines: [line, value] }), 'validation_failed', ['lines.1']);
    assert.deepEqual(await storedFeeds(), before);
  });

  it('lists at most 100 wrong fields', async () => {
    const { json } = await post({ ...feed, lines: Array.from({ length: 250 }, () => ({})) });
    assert.equal(Object.keys(json.errors).length, 100);
  });

  it('is a JSON object', async () => {
    for (const body of ['', '{', '[]', 'null', '7', undefined])
      assertRefused(
        await client.request('POST', feedsPath, {
          ...(body !== undefined && { body }),
          headers: { 'idempotency-key': 'json' },
        }),
        'validation_failed',
        ['body'],
      );
  });

  it('of another content type is 415', async () => {
    for (const type of ['text/plain', 'application/x-ndjson', 'application/jsonp'])
      assertRefused(await post(JSON.stringify(feed), { 'content-type': type }), 'unsupported_media_type');
    assert.equal(
      (await post(JSON.stringify(feed), { 'content-type': 'Application/JSON; charset=utf-8' })).status,
      202,
    );
  });

  // [catalog-98]
  it('may have 100,000 lines, and no more', async () => {
    const lines = Array.from({ length: 100_001 }, (_, index) => ({ ...line, sku: `S${index}` }));
    assertRefused(await post({ ...feed, lines }), 'validation_failed', ['lines']);
    const { status, json } = await post({ ...feed, lines: lines.slice(1) });
    assert.deepEqual([status, json.received_lines], [202, 100_000]);
  });

  // [platform-23]
  it('may have 64 MiB; more is 413', async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify({ ...feed, padding: '' });
      return Buffer.concat([
        Buffer.from(text.slice(0, -2)),
        Buffer.alloc(bytes - text.length, 'x'),
        Buffer.from('"}'),
      ]);
    };
    const limit = 64 * 1024 * 1024;
    assert.equal((await post(padded(limit))).status, 202);
    assertRefused(await post(padded(limit + 1)), 'payload_too_large');
  });
});

describe('the access to feeds', () => {
  it('is open to a key with catalog.stock:ingest', async () => {
    const { client: reader } = await apps.newKey(brandId, ['catalog.stock:read', 'catalog.stock:write']);
    assertRefused(await sendFeed(reader, [line]), 'insufficient_scope');
    const { client: sender } = await apps.newKey(brandId, ['catalog.stock:ingest']);
    assert.equal((await sendFeed(sender, [line])).status, 202);
  });

  it('is closed without a key, and to a feed token', async () => {
    const { token } = await ok(apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'old' }), 201);
    assertRefused(await sendFeed(apps.anonymous, [line]), 'unauthenticated');
    assertRefused(await sendFeed(apps.clientWith(token), [line]), 'unauthenticated');
  });

  it('is refused with the scope before a wrong header or body', async () => {
    const { client: reader } = await apps.newKey(brandId, ['catalog.stock:read']);
    assertRefused(await reader.post(feedsPath, '{'), 'insufficient_scope');
  });
});

it('the path has no other method', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
    assertRefused(await client.request(method, feedsPath), 'method_not_allowed');
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
