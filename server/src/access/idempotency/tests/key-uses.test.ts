import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { claimIdempotencyKeys } from '../idempotency-store.ts';

const apps = await createTestApps();
const day = 24 * 3_600_000;

describe('looking up an Idempotency-Key', () => {
  const usesOf = async (brandId: number, key: string) =>
    (await ok(apps.admin.get(`/brands/${brandId}/idempotency-keys/${encodeURIComponent(key)}`))).data;

  // [internal-72]
  it('shows the recorded request and the bytes of its response, until it expires', async () => {
    const { client, brandId, keyId } = await apps.newBrand();
    const headers = { 'idempotency-key': 'order/1', 'x-request-id': 'first' };
    const created = await client.post('/catalog/products', { sku: 'A' }, headers);
    assert.equal(created.status, 201);
    const [use, ...others] = await usesOf(brandId, 'order/1');
    assert.deepEqual(others, []);
    const { created_at, expires_at, ...rest } = use;
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), day);
    assert.deepEqual(rest, {
      state: 'settled',
      method: 'POST',
      path: '/v1/client/catalog/products',
      status: 201,
      key_id: keyId,
      request_id: 'first',
      body: created.text,
    });
    assert.deepEqual(await usesOf(brandId, 'order/2'), []);
    assert.deepEqual(await usesOf((await apps.newBrand()).brandId, 'order/1'), []);
    apps.clock.advance(day);
    assert.deepEqual(await usesOf(brandId, 'order/1'), []);
  });

  // [internal-72]
  it('shows a request that runs, and does not disturb it', async () => {
    const { brandId, keyId } = await apps.newBrand();
    const [{ lineage_id: lineageId }] = (await apps.sql('select lineage_id from api_keys where key_id = $1', [
      keyId,
    ])) as [{ lineage_id: number }];
    const scope = { brandId, lineageId, key: 'running' };
    await apps.database.transaction(async (tx) => {
      assert.equal((await claimIdempotencyKeys(tx, [scope], new Date(0)))[0]?.state, 'claimed');
      const nothing = { method: null, path: null, status: null, key_id: null, request_id: null };
      assert.deepEqual(await usesOf(brandId, 'running'), [
        { state: 'running', ...nothing, created_at: null, expires_at: null, body: null },
      ]);
    });
    assert.deepEqual(await usesOf(brandId, 'running'), []);
  });

  it('lists one use per lineage of API keys; an unknown brand is 404, an impossible key 422', async () => {
    const { client, brandId } = await apps.newBrand();
    const second = await apps.newKey(brandId);
    for (const [n, one] of [client, second.client].entries())
      await ok(one.post('/catalog/products', { sku: `S${n}` }, { 'idempotency-key': 'same' }), 201);
    assert.equal((await usesOf(brandId, 'same')).length, 2);
    assertRefused(await apps.admin.get('/brands/999999/idempotency-keys/same'), 'not_found');
  });
});
