import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { adjust, adjusted, newSimple, newStockedParent } from './stock.ts';

const apps = await createTestApps();

describe('the body of an adjustment', () => {
  it('may have unknown keys', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 1.0, delta: 5, sku: 7 });
  });
});

describe('the order of checks of an adjustment', () => {
  it('is Idempotency-Key, body, existence, domain rules', async () => {
    const { client } = await apps.newBrand();
    const { product } = await newStockedParent(client, 'ORDER', 1);
    const unknown = '/catalog/products/AAAAAAAAAAAAAAAAAAAAA/stock/adjust';
    assertRefused(await client.post(unknown, { quantity: 'x' }), 'idempotency_key_required');
    assertRefused(await client.create(unknown, { quantity: 'x' }), 'validation_failed', ['quantity']);
    assertRefused(await client.create(unknown, { quantity: 1, variant: 'x' }), 'not_found');
    const body = { quantity: 1, expected_quantity: 5 };
    assertRefused(await adjust(client, product.tu_id, body), 'validation_failed', ['variant']);
  });
});

describe('the Idempotency-Key of an adjustment', () => {
  it('is required, and a replay returns the first response byte for byte without a second movement', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const path = `/catalog/products/${tu_id}/stock/adjust`;
    assertRefused(await client.post(path, { quantity: 1 }), 'idempotency_key_required');
    const headers = { 'idempotency-key': 'one' };
    const first = await client.post(path, { quantity: 1 }, headers);
    await adjusted(client, tu_id, { quantity: 2 });
    const replay = await client.post(path, { quantity: 1 }, headers);
    assert.deepEqual([first.status, replay.status, replay.text], [200, 200, first.text]);
    assert.equal(replay.headers['idempotency-replayed'], 'true');
    assertRefused(await client.post(path, { quantity: 9 }, headers), 'idempotency_key_reuse');
    const list = await ok(client.get(`/catalog/products/${tu_id}/stock/movements`));
    assert.equal(list.meta.total, 2);
  });
});
