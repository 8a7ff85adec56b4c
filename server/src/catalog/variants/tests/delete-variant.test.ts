import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, newAxes, newParent, newVariant, ok, outcomes } from '../../tests/new-axes.ts';

const apps = await createTestApps();
let client: ApiClient;
// biome-ignore lint/suspicious/noExplicitAny: resources as they are served.
let product: any, red: any, blue: any;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue'] });
  product = await newParent(client, { color: ['red', 'blue'] }, { sku: 'TEE' });
  red = await newVariant(client, product.tu_id, {
    sku: 'TEE-RED',
    axis_values: { color: 'red' },
    is_active: true,
    price: { value: 5 },
  });
  blue = await newVariant(client, product.tu_id, {
    sku: 'TEE-BLUE',
    axis_values: { color: 'blue' },
    is_active: true,
    price: { value: 9 },
  });
});

const remove = (variant: { tu_id: string }) => client.delete(`/catalog/variants/${variant.tu_id}`);
const productNow = () => ok(client.get(`/catalog/products/${product.tu_id}`));

describe('deleting a variant', () => {
  // [catalog-56]
  it('removes it from lists, detail and price range, and moves updated_at of the product', async () => {
    const before = await productNow();
    const { status, text } = await remove(red);
    assert.deepEqual([status, text], [204, '']);
    const after = await productNow();
    assert.deepEqual(
      after.variants.map(({ tu_id }: { tu_id: string }) => tu_id),
      [blue.tu_id],
    );
    assert.deepEqual(after.price_range, { min: 9, max: 9, currency: 'EUR' });
    assert.ok(after.updated_at > before.updated_at);
    const list = await ok(client.get(`/catalog/products/${product.tu_id}/variants`));
    assert.deepEqual([list.data.length, list.meta.total], [1, 1]);
    const bySku = await ok(client.get(`/catalog/products/${product.tu_id}/variants?sku=TEE-RED`));
    assert.deepEqual([bySku.data, bySku.meta.total], [[], 0]);
    await assertRollupsTrue(apps);
  });

  // [catalog-56]
  it('a second time gives 404, and so does changing it', async () => {
    assert.equal((await remove(red)).status, 204);
    assertRefused(await remove(red), 'not_found');
    assertRefused(await client.patch(`/catalog/variants/${red.tu_id}`, { is_active: false }), 'not_found');
  });

  it('in 20 concurrent requests succeeds exactly once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(red)));
    assert.deepEqual(outcomes(answers), { '204': 1, '404 not_found': 19 });
    await assertRollupsTrue(apps);
  });

  // [catalog-5]
  it('makes the product simple again if it was the last one', async () => {
    await remove(red);
    await remove(blue);
    const { has_variants, price_range, variants, axes } = await productNow();
    assert.deepEqual([has_variants, price_range, variants, axes.length], [false, null, [], 1]);
    assert.equal((await ok(client.get('/catalog/products?has_variants=true'))).meta.total, 0);
    assert.equal((await ok(client.get('/catalog/products?has_variants=false'))).meta.total, 1);
    await assertRollupsTrue(apps);
  });

  // [catalog-57]
  it('frees its combination and its position at the end, but never its SKU', async () => {
    await remove(blue);
    assertRefused(
      await client.create(`/catalog/products/${product.tu_id}/variants`, {
        sku: 'TEE-BLUE',
        axis_values: { color: 'blue' },
      }),
      'duplicate_sku',
    );
    const again = await newVariant(client, product.tu_id, {
      sku: 'TEE-BLUE-2',
      axis_values: { color: 'blue' },
    });
    assert.equal(again.position, 1);
    assert.notEqual(again.tu_id, blue.tu_id);
    await remove(again);
    const third = await newVariant(client, product.tu_id, {
      sku: 'TEE-BLUE-3',
      axis_values: { color: 'blue' },
    });
    assert.equal(third.position, 1);
    await assertRollupsTrue(apps);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'delete' };
    const path = `/catalog/variants/${red.tu_id}`;
    assert.equal((await client.request('DELETE', path, { headers })).status, 204);
    assertRefused(await client.request('DELETE', path, { headers }), 'not_found');
  });
});
