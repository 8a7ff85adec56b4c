import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, catalogSoFar, newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';
import { firstVariant, newTee } from './tee.ts';

const apps = await createTestApps();

/** Creates a product with two colors and two sizes, for 24.90. */
async function newSmallTee() {
  const sizes = { color: ['red', 'blue'], size: ['s', 'm'] };
  const tee = await newTee(apps, sizes, { price_value: 24.9 });
  const { client, variantsPath } = tee;
  /** Asserts that these values are refused on these fields, and that nothing changes. */
  const refused = async (axis_values: unknown, fields: string[]) => {
    const before = await catalogSoFar(apps);
    assertRefused(
      await client.create(variantsPath, { sku: 'NEW', axis_values }),
      'validation_failed',
      fields,
    );
    assert.deepEqual(await catalogSoFar(apps), before);
  };
  return { ...tee, refused };
}

const redS = { color: 'red', size: 's' };

describe('creating a variant', () => {
  // [catalog-48] [catalog-49]
  it('uses the defaults: inactive, no barcode, the product’s price, the next free position', async () => {
    const { client, product } = await newSmallTee();
    const variant = await newVariant(client, product.tu_id, { sku: 'TEE-1', axis_values: redS });
    const { tu_id, created_at, updated_at, ...rest } = variant;
    assert.deepEqual(rest, firstVariant(product.tu_id, 'TEE-1', 24.9));
    assert.match(tu_id, /^[A-Za-z0-9_-]{21}$/);
    assert.equal(created_at, updated_at);
    const next = await newVariant(client, product.tu_id, {
      sku: 'TEE-2',
      axis_values: { color: 'blue', size: 's' },
    });
    assert.equal(next.position, 1);
    await assertRollupsTrue(apps);
  });

  it('accepts every field, up to its limits, and ignores unknown keys', async () => {
    const { client, product } = await newSmallTee();
    const sku = `${'é'.repeat(190)}🦊`;
    const fields = {
      barcode: '9'.repeat(64),
      price: { value: 99_999_999_999.9999, currency: 'USD' },
      is_active: true,
    };
    const variant = await newVariant(client, product.tu_id, {
      sku,
      axis_values: { size: 'm', color: 'blue' },
      ...fields,
      position: 77,
      tu_id: 'mine',
      stock: 5,
    });
    assert.deepEqual([variant.sku, variant.barcode, variant.is_active], [sku, '9'.repeat(64), true]);
    assert.deepEqual(variant.price, { value: 99_999_999_999.9999, currency: 'EUR', inherited: false });
    assert.equal(variant.position, 0);
  });

  it('accepts null as no barcode and no price', async () => {
    const { client, product } = await newSmallTee();
    for (const [index, fields] of [{ price: null, barcode: null }, { price: { value: null } }].entries()) {
      const size = ['s', 'm'][index] as string;
      const variant = await newVariant(client, product.tu_id, {
        sku: `N-${index}`,
        axis_values: { color: 'red', size },
        ...fields,
      });
      assert.deepEqual([variant.barcode, variant.price.inherited], [null, true]);
    }
  });

  it('treats a price of 0 as a price', async () => {
    const { client, product } = await newSmallTee();
    const variant = await newVariant(client, product.tu_id, {
      sku: 'FREE',
      axis_values: redS,
      price: { value: 0 },
    });
    assert.deepEqual(variant.price, { value: 0, currency: 'EUR', inherited: false });
  });

  // [catalog-5]
  it('makes the product a variant parent, moves its updated_at and shows on it', async () => {
    const { client, product } = await newSmallTee();
    const variant = await newVariant(client, product.tu_id, { sku: 'TEE-1', axis_values: redS });
    const after = await ok(client.get(`/catalog/products/${product.tu_id}`));
    assert.equal(after.has_variants, true);
    assert.equal(after.updated_at, variant.updated_at);
    assert.ok(after.updated_at > product.updated_at);
    const { product_tu_id: _product, created_at: _created, updated_at: _updated, ...embedded } = variant;
    assert.deepEqual(after.variants, [embedded]);
    const list = await ok(client.get('/catalog/products?has_variants=true'));
    assert.deepEqual([list.meta.total, list.data[0].tu_id], [1, product.tu_id]);
  });

  it('uses axes and values that became inactive after they were selected', async () => {
    const { client, product } = await newSmallTee();
    await ok(client.patch('/catalog/axes/color', { is_active: false }));
    await ok(client.patch('/catalog/axes/color/values/red', { is_active: false }));
    await newVariant(client, product.tu_id, { sku: 'TEE-1', axis_values: redS });
  });

  it('accepts axes whose code has a meaning in JavaScript', async () => {
    const { client } = await newSmallTee();
    await newAxes(client, { constructor: ['x'], 1: ['2'] });
    await ok(client.post('/catalog/axes', '{"code": "__proto__", "values": [{"value": "__proto__"}]}'), 201);
    const axes = [
      { code: '__proto__', values: ['__proto__'] },
      { code: 'constructor', values: ['x'] },
      { code: '1', values: ['2'] },
    ];
    const odd = await newParent(client, {});
    await ok(client.put(`/catalog/products/${odd.tu_id}/axes`, { axes }));
    const axisValues = '{"1": "2", "__proto__": "__proto__", "constructor": "x"}';
    const body = `{"sku": "ODD", "axis_values": ${axisValues}}`;
    const answer = await client.create(`/catalog/products/${odd.tu_id}/variants`, body);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(JSON.stringify(answer.json.axis_values), axisValues.replaceAll(' ', ''));
  });
});

describe('creating a variant is refused', () => {
  // [catalog-50]
  it('with 422 if axis_values do not map each selected axis to exactly one selected value', async () => {
    const { refused } = await newSmallTee();
    await refused({}, ['axis_values.color', 'axis_values.size']);
    await refused({ color: 'red' }, ['axis_values.size']);
    await refused({ ...redS, fit: 'slim' }, ['axis_values.fit']);
    await refused({ color: 'green', size: 'S' }, ['axis_values.color', 'axis_values.size']);
    await refused({ color: ['red'], size: 's' }, ['axis_values.color']);
    await refused({ color: null, size: 7 }, ['axis_values.color', 'axis_values.size']);
  });

  it('with 422 for a value of the library that the product does not select', async () => {
    const { client, refused } = await newSmallTee();
    await ok(client.post('/catalog/axes/color/values', { value: 'green' }), 201);
    await refused({ color: 'green', size: 's' }, ['axis_values.color']);
  });

  // [catalog-50]
  it('with 422 on axis_values if the product has no selection', async () => {
    const { client, product, refused } = await newSmallTee();
    await ok(client.put(`/catalog/products/${product.tu_id}/axes`, { axes: [] }));
    await refused(redS, ['axis_values']);
    await refused({}, ['axis_values']);
  });

  it('with duplicate_sku that names the holder if a product, a variant or a deleted variant has the SKU', async () => {
    const { client, product, variantsPath } = await newSmallTee();
    const variant = await newVariant(client, product.tu_id, { sku: 'TAKEN', axis_values: redS });
    const before = await catalogSoFar(apps);
    const conflictOf = async (sku: string) => {
      const answer = await client.create(variantsPath, { sku, axis_values: { color: 'blue', size: 's' } });
      assertRefused(answer, 'duplicate_sku');
      return answer.json.conflict;
    };
    assert.deepEqual(await conflictOf('TEE'), { kind: 'product', tu_id: product.tu_id, is_deleted: false });
    assert.deepEqual(await conflictOf('TAKEN'), { kind: 'variant', tu_id: variant.tu_id, is_deleted: false });
    assert.deepEqual(await catalogSoFar(apps), before);
    assert.equal((await client.delete(`/catalog/variants/${variant.tu_id}`)).status, 204);
    const deleted = { kind: 'variant', tu_id: variant.tu_id, is_deleted: true };
    assert.deepEqual(await conflictOf('TAKEN'), deleted);
    const again = await client.create('/catalog/products', { sku: 'TAKEN' });
    assertRefused(again, 'duplicate_sku');
    assert.deepEqual(again.json.conflict, deleted);
    await newVariant(client, product.tu_id, { sku: 'taken', axis_values: redS });
  });

  it('with duplicate_sku that names no holder to a key that may not read products', async () => {
    const { brandId, client: all } = await apps.newBrand();
    await newAxes(all, { color: ['red'] });
    const parent = await newParent(all, { color: ['red'] }, { sku: 'HELD' });
    const { client: blind } = await apps.newKey(brandId, ['catalog.variants:write']);
    const body = { sku: 'HELD', axis_values: { color: 'red' } };
    const answer = await blind.create(`/catalog/products/${parent.tu_id}/variants`, body);
    assertRefused(answer, 'duplicate_sku');
    assert.equal(answer.json.conflict, undefined);
  });

  // [catalog-51]
  it('with conflict for a combination that a live variant has, for any order of the axes', async () => {
    const { client, product, variantsPath } = await newSmallTee();
    const variant = await newVariant(client, product.tu_id, { sku: 'TEE-1', axis_values: redS });
    const before = await catalogSoFar(apps);
    assertRefused(
      await client.create(variantsPath, { sku: 'TEE-2', axis_values: { size: 's', color: 'red' } }),
      'conflict',
    );
    assert.deepEqual(await catalogSoFar(apps), before);
    assert.equal((await client.delete(`/catalog/variants/${variant.tu_id}`)).status, 204);
    await newVariant(client, product.tu_id, { sku: 'TEE-2', axis_values: redS });
  });

  // [catalog-52]
  it('with duplicate_sku rather than conflict if both are taken, and with 422 rather than either', async () => {
    const { client, product, variantsPath, refused } = await newSmallTee();
    await newVariant(client, product.tu_id, { sku: 'TEE-1', axis_values: redS });
    assertRefused(await client.create(variantsPath, { sku: 'TEE-1', axis_values: redS }), 'duplicate_sku');
    await refused({ color: 'red' }, ['axis_values.size']);
    const answer = await client.create(variantsPath, { sku: 'TEE-1', axis_values: { color: 'red' } });
    assertRefused(answer, 'validation_failed', ['axis_values.size']);
  });
});

describe('the Idempotency-Key of a creation', () => {
  it('is required', async () => {
    const { client, variantsPath } = await newSmallTee();
    assertRefused(
      await client.post(variantsPath, { sku: 'X', axis_values: redS }),
      'idempotency_key_required',
    );
  });

  it('makes a retry return the first response, and is free again after a failure', async () => {
    const { client, variantsPath } = await newSmallTee();
    const key = { 'idempotency-key': 'variant-1' };
    assertRefused(await client.post(variantsPath, { sku: 'TEE', axis_values: redS }, key), 'duplicate_sku');
    const first = await client.post(variantsPath, { sku: 'TEE-1', axis_values: redS }, key);
    const again = await client.post(variantsPath, { sku: 'TEE-1', axis_values: redS }, key);
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assertRefused(
      await client.post(variantsPath, { sku: 'TEE-2', axis_values: redS }, key),
      'idempotency_key_reuse',
    );
    assert.equal((await ok(client.get(variantsPath))).meta.total, 1);
  });
});
