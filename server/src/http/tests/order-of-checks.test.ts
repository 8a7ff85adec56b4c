import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, writtenSoFar } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newTuId } from '../../lib/ids.ts';

// Each test breaks two neighbouring rules at once, and expects the error of the earlier one [platform-11].

const apps = await createTestApps({ limits: { catalog_key_reads: 2, catalog_key_writes: 100 } });
const { client, brandId } = await apps.newBrand();
const { json: product } = await client.create('/catalog/products', { sku: 'ORDER' });
const products = '/catalog/products';
const unknown = `${products}/${newTuId()}`;
const wrongBodies = ['{', '[]', '', '{"sku": 5}', 'x'.repeat(1024 * 1024 + 1)];
const reader = await apps.newKey(brandId, ['catalog.products:read']);
const before = await writtenSoFar(apps);

// [platform-11]
describe('the order of checks', () => {
  it('puts the path before the key', async () => {
    for (const method of ['GET', 'POST', 'PATCH']) {
      assertRefused(await apps.anonymous.request(method, '/catalog/nothing'), 'not_found');
      assertRefused(await apps.clientWith('nonsense').request(method, '/catalog/nothing'), 'not_found');
    }
  });

  it('puts the method before the key', async () => {
    assertRefused(await apps.anonymous.delete(products), 'method_not_allowed');
    assertRefused(await apps.clientWith('nonsense').put(unknown), 'method_not_allowed');
  });

  it('puts the key before its limit', async () => {
    const key = await apps.newKey(brandId);
    for (let i = 0; i < 2; i += 1) assert.equal((await key.client.get('/catalog/status')).status, 200);
    assertRefused(await key.client.get('/catalog/status'), 'rate_limited');
    await apps.admin.post(`/keys/${key.keyId}/revoke`);
    assertRefused(await key.client.get('/catalog/status'), 'unauthenticated');
  });

  it('puts the key before the scope, the headers, the body and existence', async () => {
    for (const body of wrongBodies) {
      assertRefused(await apps.anonymous.post(products, body), 'unauthenticated');
      assertRefused(await apps.anonymous.patch(unknown, body), 'unauthenticated');
    }
  });

  it('puts the limit before the scope', async () => {
    const writer = await apps.newKey(brandId, ['catalog.products:write']);
    for (let i = 0; i < 2; i += 1) assertRefused(await writer.client.get(products), 'insufficient_scope');
    assertRefused(await writer.client.get(products), 'rate_limited');
  });

  it('puts the scope before the Idempotency-Key', async () => {
    assertRefused(await reader.client.post(products, { sku: 'A' }), 'insufficient_scope');
    assertRefused(
      await reader.client.post(products, { sku: 'A' }, { 'idempotency-key': 'not valid' }),
      'insufficient_scope',
    );
  });

  it('puts the scope before the body and existence', async () => {
    for (const body of wrongBodies) {
      assertRefused(await reader.client.create(products, body), 'insufficient_scope');
      assertRefused(await reader.client.patch(unknown, body), 'insufficient_scope');
    }
  });

  it('puts the Idempotency-Key before the body', async () => {
    for (const body of wrongBodies) {
      assertRefused(await client.post(products, body), 'idempotency_key_required');
      for (const path of [products, unknown])
        assertRefused(
          await client.request(path === products ? 'POST' : 'PATCH', path, {
            body,
            headers: { 'idempotency-key': 'not valid', 'content-type': 'text/plain' },
          }),
          'validation_failed',
          ['idempotency_key'],
        );
    }
  });

  it('puts the syntax of the body before its schema', async () => {
    assertRefused(await client.create(products, '{"sku": 5,}'), 'validation_failed', ['body']);
  });

  it('puts the body, its syntax and its schema, before existence, for any shape of the id', async () => {
    for (const path of [unknown, `${products}/no-id`, `${products}/%00`]) {
      assertRefused(await client.patch(path, '{'), 'validation_failed', ['body']);
      assertRefused(await client.patch(path, '[]'), 'validation_failed', ['body']);
      assertRefused(await client.patch(path, { title: null }), 'validation_failed', ['title']);
      assertRefused(await client.patch(path, { title: 'x' }), 'not_found');
    }
  });

  it('puts the body before the request that the Idempotency-Key belongs to', async () => {
    const headers = { 'idempotency-key': 'settled' };
    assert.equal((await client.patch(`${products}/${product.tu_id}`, {}, headers)).status, 200);
    assertRefused(await client.patch(unknown, { title: 5 }, headers), 'validation_failed', ['title']);
    assertRefused(await client.patch(unknown, { title: 'x' }, headers), 'idempotency_key_reuse');
  });

  it('puts existence before the rules of the domain', async () => {
    assertRefused(await client.patch(unknown, { sku: 'ORDER' }), 'not_found');
  });
});

describe('after all of that', () => {
  it('nothing was written but the record of the one change that was accepted', async () => {
    const {
      idempotency_records: _,
      versions: __,
      ...now
    } = (await writtenSoFar(apps)) as Record<string, unknown>;
    const { idempotency_records: ___, versions: ____, ...then } = before as Record<string, unknown>;
    assert.deepEqual(now, then);
  });
});
