import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, catalogSoFar, newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
let client: ApiClient;
// biome-ignore lint/suspicious/noExplicitAny: resources as they are served.
let product: any, variant: any;
let path: string;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue'] });
  product = await newParent(client, { color: ['red', 'blue'] }, { sku: 'TEE' });
  variant = await newVariant(client, product.tu_id, {
    sku: 'TEE-RED',
    axis_values: { color: 'red' },
    barcode: '123',
  });
  path = `/catalog/variants/${variant.tu_id}`;
});

const productNow = () => ok(client.get(`/catalog/products/${product.tu_id}`));

describe('changing a variant', () => {
  it('writes the given fields, leaves the others, and moves both updated_at', async () => {
    const before = await productNow();
    const answer = await ok(client.patch(path, { is_active: true, price: { value: 9.99 } }));
    assert.deepEqual(
      { ...answer, updated_at: 0 },
      {
        ...variant,
        is_active: true,
        price: { value: 9.99, currency: 'EUR', inherited: false },
        updated_at: 0,
      },
    );
    assert.ok(answer.updated_at > variant.updated_at);
    const after = await productNow();
    assert.equal(after.updated_at, answer.updated_at);
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual((await ok(client.get(`/catalog/products/${product.tu_id}/variants`))).data, [answer]);
    await assertRollupsTrue(apps);
  });

  // [catalog-54]
  it('clears the barcode with null', async () => {
    assert.equal((await ok(client.patch(path, { barcode: null }))).barcode, null);
    assert.equal((await ok(client.patch(path, { barcode: 'x'.repeat(64) }))).barcode, 'x'.repeat(64));
  });

  it('to its current values changes nothing, not even updated_at', async () => {
    await ok(client.patch(path, { price: { value: 5 } }));
    const before = await catalogSoFar(apps);
    const { sku, barcode, is_active } = variant;
    for (const body of [
      {},
      { sku },
      { sku, barcode, is_active, price: { value: 5.0 } },
      { price: { value: 5, currency: 'USD', inherited: true } },
      { position: 9, tu_id: 'x', unknown: 1 },
    ])
      await ok(client.patch(path, body));
    assert.deepEqual({ ...(await catalogSoFar(apps)), versions: 0 }, { ...before, versions: 0 });
  });

  it('ignores an Idempotency-Key, even a malformed one', async () => {
    const key = { 'idempotency-key': 'é'.repeat(3) };
    assert.equal((await ok(client.patch(path, { barcode: 'A' }, key))).barcode, 'A');
    assert.equal((await ok(client.patch(path, { barcode: 'B' }, key))).barcode, 'B');
  });

  it('in 20 concurrent requests with different fields loses none of the changes', async () => {
    const bodies = [{ barcode: 'B' }, { is_active: true }, { price: { value: 3 } }, { sku: 'RENAMED' }];
    await Promise.all(Array.from({ length: 20 }, (_, i) => ok(client.patch(path, bodies[i % 4] as object))));
    const [now] = (await ok(client.get(`/catalog/products/${product.tu_id}/variants`))).data;
    assert.deepEqual([now.barcode, now.is_active, now.price.value, now.sku], ['B', true, 3, 'RENAMED']);
    await assertRollupsTrue(apps);
  });
});

// [catalog-55]
describe('the axis values of a variant', () => {
  it('never change: sending them is refused as prohibited, for any value', async () => {
    const before = await catalogSoFar(apps);
    for (const axis_values of [{ color: 'red' }, { color: 'blue' }, {}, null, 'red', 7, []]) {
      assertRefused(await client.patch(path, { axis_values, barcode: 'x' }), 'validation_failed', [
        'axis_values',
      ]);
      const unknown = await client.patch('/catalog/variants/aaaaaaaaaaaaaaaaaaaaa', { axis_values });
      assertRefused(unknown, 'validation_failed', ['axis_values']);
    }
    const answer = await client.patch(path, { axis_values: {} });
    assert.deepEqual(answer.json.errors, { axis_values: ['is prohibited'] });
    assert.deepEqual(await catalogSoFar(apps), before);
  });
});

describe('the SKU of a variant', () => {
  // [catalog-21] [catalog-55]
  it('can change, and the old one is free again, even for a product', async () => {
    assert.equal((await ok(client.patch(path, { sku: 'TEE-ROUGE' }))).sku, 'TEE-ROUGE');
    await ok(client.create('/catalog/products', { sku: 'TEE-RED' }), 201);
    assertRefused(await client.create('/catalog/products', { sku: 'TEE-ROUGE' }), 'duplicate_sku');
    assertRefused(await client.patch(path, { sku: 'TEE-RED' }), 'duplicate_sku');
  });

  it('can be restored by a second rename', async () => {
    await ok(client.patch(path, { sku: 'AWAY' }));
    await ok(client.patch(path, { sku: 'TEE-RED' }));
    await newVariant(client, product.tu_id, { sku: 'AWAY', axis_values: { color: 'blue' } });
  });

  // [catalog-19]
  it('gives duplicate_sku on a collision with a product, a variant or a deleted variant, and changes nothing', async () => {
    const blue = await newVariant(client, product.tu_id, { sku: 'TEE-BLUE', axis_values: { color: 'blue' } });
    const conflictOf = async (sku: string) => {
      const before = await catalogSoFar(apps);
      const answer = await client.patch(path, { sku, is_active: true });
      assertRefused(answer, 'duplicate_sku');
      assert.deepEqual(await catalogSoFar(apps), before);
      return answer.json.conflict;
    };
    assert.deepEqual(await conflictOf('TEE'), { kind: 'product', tu_id: product.tu_id, is_deleted: false });
    assert.deepEqual(await conflictOf('TEE-BLUE'), { kind: 'variant', tu_id: blue.tu_id, is_deleted: false });
    assert.equal((await client.delete(`/catalog/variants/${blue.tu_id}`)).status, 204);
    assert.deepEqual(await conflictOf('TEE-BLUE'), { kind: 'variant', tu_id: blue.tu_id, is_deleted: true });
  });

  it('cannot be taken by a product through a rename', async () => {
    const answer = await client.patch(`/catalog/products/${product.tu_id}`, { sku: 'TEE-RED' });
    assertRefused(answer, 'duplicate_sku');
    assert.deepEqual(answer.json.conflict, { kind: 'variant', tu_id: variant.tu_id, is_deleted: false });
  });

  it('is given to exactly one of 20 concurrent requests for it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0
          ? client.patch(path, { sku: `WANTED-${i % 4}` })
          : client.create('/catalog/products', { sku: `WANTED-${(i + 1) % 4}` }),
      ),
    );
    assert.ok(answers.every(({ status, json }) => status < 300 || json.code === 'duplicate_sku'));
    const claims = await apps.sql<{ sku: string }>(`select c.sku from sku_claims c
      left join products p on p.brand_id = c.brand_id and p.sku = c.sku and c.kind = 'product'
      left join variants v on v.brand_id = c.brand_id and v.sku = c.sku and c.kind = 'variant'
      where p.id is null and v.id is null`);
    assert.deepEqual(claims, []);
  });
});
