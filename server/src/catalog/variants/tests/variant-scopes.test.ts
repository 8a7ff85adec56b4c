import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import type { Scope } from '../../../api/access.ts';
import { newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await newAxes(client, { color: ['red', 'blue', 'green'] });
const product = await newParent(client, { color: ['red', 'blue', 'green'] });
await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
const path = `/catalog/products/${product.tu_id}/variants`;
const keyWith = async (...held: Scope[]) => (await apps.newKey(brandId, held)).client;

describe('a key', () => {
  // [catalog-8]
  it('without catalog.stock:read sees every status and no quantity, in lists, details and responses to writes', async () => {
    const blind = await keyWith('catalog.products:read', 'catalog.products:write', 'catalog.variants:write');
    const statusOnly = { status: null };
    const { data } = await ok(blind.get(path));
    assert.deepEqual(data[0].availability, statusOnly);
    const detail = await ok(blind.get(`/catalog/products/${product.tu_id}`));
    assert.deepEqual(detail.variants[0].availability, statusOnly);
    const patched = await ok(blind.patch(`/catalog/products/${product.tu_id}`, {}));
    assert.deepEqual(patched.variants[0].availability, statusOnly);
    const created = await newVariant(blind, product.tu_id, { sku: 'BLUE', axis_values: { color: 'blue' } });
    assert.deepEqual(created.availability, statusOnly);
    const changed = await ok(blind.patch(`/catalog/variants/${created.tu_id}`, { is_active: true }));
    assert.deepEqual(changed.availability, statusOnly);
    const generated = await ok(blind.create(`${path}/generate`), 201);
    assert.deepEqual(generated.variants[0].availability, statusOnly);
  });

  it('with catalog.stock:read sees quantities', async () => {
    const reader = await keyWith('catalog.products:read', 'catalog.stock:read');
    const { data } = await ok(reader.get(path));
    assert.deepEqual(data[0].availability, { status: null, quantity: 0 });
    const { variants } = await ok(reader.get(`/catalog/products/${product.tu_id}`));
    assert.deepEqual(variants[0].availability, { status: null, quantity: 0 });
  });
});
