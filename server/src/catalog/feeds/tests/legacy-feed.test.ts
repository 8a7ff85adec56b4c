import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { feedsPath, reportOf, sendFeed } from './feeds.ts';

const apps = await createTestApps({ runsJobs: true });
const { client, apiKey, brandId } = await apps.newBrand();
const path = '/v1/catalog/stock/feeds';
const lines = [{ sku: 'A', location_code: 'L', quantity: 1 }];
const feed = { source: 'old erp', mode: 'snapshot', lines };

async function newToken(brand = brandId): Promise<{ id: number; token: string }> {
  return ok(apps.admin.post(`/brands/${brand}/feed-tokens`, { name: 'Old ERP' }), 201);
}

function withBearer(token: string | null, app = apps.clientApp) {
  return createApiClient(app, { prefix: '', token });
}

const legacy = withBearer((await newToken()).token);
const headers = (batch: string) => ({ 'idempotency-key': batch });

describe('the legacy feed path', () => {
  // [catalog-100]
  it('accepts the same body and responds alike', async () => {
    const answer = await legacy.post(path, feed, headers('one'));
    const { feed_id } = answer.json;
    assert.deepEqual(
      [answer.status, answer.json],
      [
        202,
        {
          feed_id,
          status: 'queued',
          received_lines: 1,
          report_url: `/v1/client/catalog/stock/feeds/${feed_id}`,
        },
      ],
    );
    assert.equal((await reportOf(client, feed_id)).source, 'old erp');
    assertRefused(await legacy.post(path, feed), 'validation_failed', ['source_batch_id']);
    assertRefused(await legacy.post(path, { ...feed, mode: 'delta' }, headers('two')), 'validation_failed', [
      'mode',
    ]);
    assertRefused(await legacy.post(path, { ...feed, lines: [{}] }, headers('two')), 'validation_failed', [
      'lines.0.sku',
      'lines.0.location_code',
      'lines.0.quantity',
    ]);
  });

  it('shares the brand’s batch ids with the new path', async () => {
    const first = await legacy.post(path, feed, headers('shared'));
    const again = await sendFeed(client, lines, 'shared');
    assert.deepEqual([again.status, again.json.feed_id], [200, first.json.feed_id]);
    const differs = await legacy.post(path, { ...feed, lines: [...lines, ...lines] }, headers('shared'));
    assert.deepEqual([differs.status, differs.headers['x-feed-body-differs']], [200, 'true']);
  });

  it('belongs to the brand of the token', async () => {
    const other = await apps.newBrand();
    const theirs = withBearer((await newToken(other.brandId)).token);
    const { json } = await theirs.post(path, feed, headers('theirs'));
    assert.equal((await other.client.get(`${feedsPath}/${json.feed_id}`)).status, 200);
    assertRefused(await client.get(`${feedsPath}/${json.feed_id}`), 'not_found');
  });

  // [catalog-100]
  it('is closed to API keys, malformed and deleted tokens, and all other clients', async () => {
    const { id, token } = await newToken();
    assert.equal((await withBearer(token).post(path, feed, headers('before'))).status, 202);
    await ok(apps.admin.delete(`/feed-tokens/${id}`), 204);
    const others = [token, apiKey, 'cfk_', `${token}x`, token.slice(0, -1), token.toUpperCase(), null];
    const answers = await Promise.all(
      others.map((bearer) => withBearer(bearer).post(path, feed, headers('after'))),
    );
    for (const answer of answers) {
      assertRefused(answer, 'unauthenticated');
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'a 401 tells nothing');
  });

  it('is the only path that a feed token opens', async () => {
    const { token } = await newToken();
    for (const url of [`/v1/client${feedsPath}`, '/v1/client/catalog/status', '/v1/client/catalog/products'])
      assertRefused(await withBearer(token).get(url.replace(/feeds$/, 'feeds/x')), 'unauthenticated');
    assertRefused(
      await withBearer(token).post(`/v1/client${feedsPath}`, feed, headers('x')),
      'unauthenticated',
    );
    assert.equal((await withBearer(token, apps.internalApp).get('/internal/v1/brands')).status, 401);
  });

  it('has no other method, and nothing below it', async () => {
    const answer = await legacy.get(path);
    assertRefused(answer, 'method_not_allowed');
    assert.equal(answer.headers['allow'], 'POST');
    assertRefused(await legacy.get(`${path}/x`), 'not_found');
  });

  it('records when a token was last used', async () => {
    const { id, token } = await newToken();
    await withBearer(token).post(path, feed, headers('used'));
    await apps.keyUsage.flush();
    const { data } = await ok(apps.admin.get(`/brands/${brandId}/feed-tokens?per_page=200`));
    const used = data.find((listed: { id: number }) => listed.id === id);
    assert.ok(Math.abs(Date.parse(used.last_used_at) - apps.clock.now()) < 60_000);
  });
});

describe('the limits of the legacy feed path', async () => {
  const limited = await createTestApps({ limits: { catalog_key_writes: 3, catalog_brand: 5, address: 50 } });
  const brand = await limited.newBrand();
  const tokens = await Promise.all(
    [1, 2].map(async (number) =>
      ok(limited.admin.post(`/brands/${brand.brandId}/feed-tokens`, { name: `${number}` }), 201),
    ),
  );
  const [first, second] = tokens.map(({ token }) => withBearer(token, limited.clientApp));

  it('count each token like the writes of a key, and the brand over all tokens', async () => {
    const send = async (api = first) => {
      const answer = await api?.post(path, feed, headers('same'));
      return [answer?.status, answer?.headers['x-ratelimit-limit'], answer?.headers['x-ratelimit-remaining']];
    };
    assert.deepEqual(await send(), [202, '3', '2']);
    assert.deepEqual(await send(), [200, '3', '1']);
    assert.deepEqual(await send(), [200, '3', '0']);
    const denied = await first?.post(path, feed, headers('same'));
    assert.ok(denied);
    assertRefused(denied, 'rate_limited');
    assert.ok(Number(denied.headers['retry-after']) >= 1);
    assert.deepEqual(await send(second), [200, '5', '1'], 'the other token has its own bucket');
    assert.deepEqual(await send(second), [200, '5', '0'], 'the brand’s is shared');
    assert.equal((await brand.client.get('/catalog/status')).status, 429);
  });

  it('count a request without a valid token for its address', async () => {
    const answer = await withBearer('cfk_no', limited.clientApp).post(path, feed);
    assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [401, '50']);
  });
});
