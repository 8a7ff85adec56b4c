import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { registerCanary } from '../../../server/test/support/canaries.ts';
import { createHttpClient } from '../../../server/test/support/http-client.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const dayMs = 86_400_000;

it('the clock moves code and SQL together, runs the nights, and never goes back', async () => {
  const dir = join(await mkdtemp(join(tmpdir(), 'bp-')), 'kept');
  const first = await startSandboxProcess('--keep', dir);
  const { admin, client, brandId, clientUrl } = first;
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { json: key } = await admin.post(`/brands/${brandId}/keys`, {
    name: 'Short',
    scopes: ['catalog.products:read'],
    expires_at: soon,
  });
  registerCanary(key.api_key);
  const short = createHttpClient(`${clientUrl}/v1/client`, key.api_key);
  assert.equal((await short.get('/catalog/products')).status, 200);
  const create = () => client.post('/catalog/products', { sku: 'AGED' }, { 'idempotency-key': 'aged-1' });
  assert.equal((await create()).status, 201);
  assert.equal((await create()).headers['idempotency-replayed'], 'true');
  const today = new Date().toISOString().slice(0, 10);
  const event = { kind: 'view', user: 'u-4711', content: { type: 'episode', tu_id: 'ep-12' } };
  await admin.post(`/brands/${brandId}/events`, {
    items: [{ ...event, event_id: 'late', occurred_at: `${today}T00:00:00Z` }],
  });

  const moved = await admin.put('/sandbox/clock', { advance_seconds: 40 * 86_400 });
  assert.equal(moved.status, 200, moved.text);
  const expected = Date.now() + 40 * dayMs;
  assert.ok(Math.abs(Date.parse(moved.json.now) - expected) < 10_000, moved.text);
  assert.equal((await short.get('/catalog/products')).status, 401);
  // The record has aged: the key runs the request again, which finds its SKU taken.
  assert.equal((await create()).json.code, 'duplicate_sku');
  const stamped = await client.create('/catalog/products', { sku: 'LATER' });
  assert.ok(Math.abs(Date.parse(stamped.json.created_at) - expected) < 10_000, stamped.text);
  const nights = await admin.get(`/brands/${brandId}/aggregations`);
  assert.ok(
    nights.json.data.some(({ date }: { date: string }) => date === today),
    nights.text,
  );

  const lines = [{ sku: 'LATER', location_code: 'WH-BERLIN', quantity: 4 }];
  const sent = await client.create('/catalog/stock/feeds', { source: 'erp', mode: 'snapshot', lines });
  await waitFor('the feed', async () => {
    const { json } = await client.get(`/catalog/stock/feeds/${sent.json.feed_id}`);
    return json.status === 'completed';
  });

  for (const body of [
    { now: new Date().toISOString() },
    {},
    { advance_seconds: 1, now: soon },
    { advance_seconds: -1 },
  ])
    assert.equal((await admin.put('/sandbox/clock', body)).status, 422, JSON.stringify(body));
  assert.equal((await first.end('SIGTERM')).code, 0);

  const second = await startSandboxProcess('--keep', dir);
  const { json } = await second.client.create('/catalog/products', { sku: 'LATEST' });
  assert.ok(Math.abs(Date.parse(json.created_at) - expected) < 60_000, json.created_at);
  const still = await second.admin.put('/sandbox/clock', { advance_seconds: 0 });
  assert.ok(Math.abs(Date.parse(still.json.now) - expected) < 60_000, still.text);
});
