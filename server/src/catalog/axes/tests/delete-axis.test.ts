import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes, newParent, newVariant, ok, selecting } from '../../tests/new-axes.ts';

const apps = await createTestApps();
let client: ApiClient;
let brandId: number;

beforeEach(async () => {
  ({ client, brandId } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue'], size: ['s', 'm'] });
});

const codes = async () =>
  (await ok(client.get('/catalog/axes'))).data.map(({ code }: { code: string }) => code);

describe('deleting an axis', () => {
  // [catalog-37]
  it('deletes its values too, and frees its code', async () => {
    const { status, text } = await client.delete('/catalog/axes/color');
    assert.deepEqual([status, text], [204, '']);
    assert.deepEqual(await codes(), ['size']);
    assertRefused(await client.delete('/catalog/axes/color'), 'not_found');
    assertRefused(await client.patch('/catalog/axes/color/values/red', {}), 'not_found');
    const again = await ok(client.post('/catalog/axes', { code: 'color' }), 201);
    assert.deepEqual(again.values, []);
  });

  // [catalog-35]
  it('gives axis_in_use while it is attached to a product, with or without variants', async () => {
    const product = await newParent(client, { color: ['red'] });
    const before = await catalogSoFar(apps);
    assertRefused(await client.delete('/catalog/axes/color'), 'axis_in_use');
    assert.deepEqual(await catalogSoFar(apps), before);
    await ok(client.put(`/catalog/products/${product.tu_id}/axes`, { axes: [] }));
    assert.equal((await client.delete('/catalog/axes/color')).status, 204);
  });

  // [catalog-35]
  it('gives axis_in_use while a variant carries one of its values, even if no product has it attached', async () => {
    const product = await newParent(client, { color: ['red'] });
    await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
    await apps.sql('delete from product_axes where brand_id = $1', [brandId]);
    assertRefused(await client.delete('/catalog/axes/color'), 'axis_in_use');
    assertRefused(await client.delete('/catalog/axes/color/values/red'), 'value_in_use');
    assert.deepEqual(await codes(), ['color', 'size']);
  });

  // [catalog-57]
  it('is allowed once the variants that carried it are deleted and it is detached', async () => {
    const product = await newParent(client, { color: ['red'] });
    const variant = await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
    assert.equal((await client.delete(`/catalog/variants/${variant.tu_id}`)).status, 204);
    assertRefused(await client.delete('/catalog/axes/color'), 'axis_in_use');
    await ok(client.put(`/catalog/products/${product.tu_id}/axes`, { axes: [] }));
    assert.equal((await client.delete('/catalog/axes/color')).status, 204);
  });

  it('leaves the axis of the same code in other brands', async () => {
    const other = await apps.newBrand();
    await newAxes(other.client, { color: ['red'] });
    assert.equal((await client.delete('/catalog/axes/color')).status, 204);
    assert.equal((await ok(other.client.get('/catalog/axes'))).data.length, 1);
  });
});

describe('deleting a value', () => {
  // [catalog-37]
  it('frees it, and leaves the others', async () => {
    const { status, text } = await client.delete('/catalog/axes/color/values/red');
    assert.deepEqual([status, text], [204, '']);
    const [color] = (await ok(client.get('/catalog/axes'))).data;
    assert.deepEqual(
      color.values.map(({ value }: { value: string }) => value),
      ['blue'],
    );
    assertRefused(await client.delete('/catalog/axes/color/values/red'), 'not_found');
    assert.equal((await ok(client.post('/catalog/axes/color/values', { value: 'red' }), 201)).label, null);
  });

  // [catalog-36]
  it('gives value_in_use while a product selects it', async () => {
    const product = await newParent(client, { color: ['red', 'blue'] });
    const before = await catalogSoFar(apps);
    assertRefused(await client.delete('/catalog/axes/color/values/red'), 'value_in_use');
    assert.deepEqual(await catalogSoFar(apps), before);
    await ok(client.put(`/catalog/products/${product.tu_id}/axes`, selecting({ color: ['blue'] })));
    assert.equal((await client.delete('/catalog/axes/color/values/red')).status, 204);
  });

  it('is allowed once the variants that carried it are deleted and it is not selected', async () => {
    const product = await newParent(client, { color: ['red', 'blue'] });
    const variant = await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
    assertRefused(await client.delete('/catalog/axes/color/values/red'), 'value_in_use');
    assert.equal((await client.delete(`/catalog/variants/${variant.tu_id}`)).status, 204);
    await ok(client.put(`/catalog/products/${product.tu_id}/axes`, selecting({ color: ['blue'] })));
    assert.equal((await client.delete('/catalog/axes/color/values/red')).status, 204);
  });

  it('leaves the same value of another axis', async () => {
    await ok(client.post('/catalog/axes/size/values', { value: 'red' }), 201);
    assert.equal((await client.delete('/catalog/axes/size/values/red')).status, 204);
    const [color] = (await ok(client.get('/catalog/axes'))).data;
    assert.equal(color.values.length, 2);
  });
});

describe('an axis that does not exist', () => {
  // [catalog-32]
  it('gives 404 from every operation on it and on its values', async () => {
    const long = 'x'.repeat(65);
    for (const code of ['unknown', 'Color', 'color%20', '%00', 'c%C3%B6lor', long, 'x'.repeat(600)])
      for (const answer of [
        await client.patch(`/catalog/axes/${code}`, { label: 'x' }),
        await client.delete(`/catalog/axes/${code}`),
        await client.post(`/catalog/axes/${code}/values`, { value: 'x' }),
        await client.patch(`/catalog/axes/${code}/values/red`, { label: 'x' }),
        await client.delete(`/catalog/axes/${code}/values/red`),
        await client.patch(`/catalog/axes/color/values/${code}`, { label: 'x' }),
        await client.delete(`/catalog/axes/color/values/${code}`),
      ])
        assertRefused(answer, 'not_found');
  });
});

describe('foreign keys', () => {
  it('prevent the deletion of anything in use, even if a write bypasses the checks', async () => {
    const product = await newParent(client, { color: ['red'] });
    await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
    for (const [sql, constraint] of [
      ['delete from axes where brand_id = $1', 'product_axes_axis'],
      ['delete from axis_values where brand_id = $1', 'product_axis_values_value'],
    ] as const)
      await assert.rejects(apps.sql(sql, [brandId]), { code: '23503', constraint });
    await apps.sql('delete from product_axes where brand_id = $1', [brandId]);
    await assert.rejects(apps.sql('delete from axis_values where brand_id = $1', [brandId]), {
      code: '23503',
      constraint: 'variant_axis_values_value',
    });
  });
});
