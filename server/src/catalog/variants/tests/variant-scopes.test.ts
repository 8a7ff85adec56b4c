import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { type Scope, scopes } from '../../../api/scopes.ts';
import { catalogSoFar, newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await newAxes(client, { color: ['red', 'blue', 'green'] });
const product = await newParent(client, { color: ['red', 'blue', 'green'] });
const variant = await newVariant(client, product.tu_id, { sku: 'RED', axis_values: { color: 'red' } });
const path = `/catalog/products/${product.tu_id}/variants`;
const keyWith = async (...held: Scope[]) => (await apps.newKey(brandId, held)).client;
const allBut = async (scope: Scope) => keyWith(...scopes.filter((other) => other !== scope));

const writes = [
  ['POST', path, { sku: 'X', axis_values: { color: 'blue' } }],
  ['POST', `${path}/generate`, { dry_run: true }],
  ['PATCH', `/catalog/variants/${variant.tu_id}`, { is_active: true }],
  ['DELETE', `/catalog/variants/${variant.tu_id}`, undefined],
  ['DELETE', '/catalog/variants/aaaaaaaaaaaaaaaaaaaaa', undefined],
] as const;

describe('a key', () => {
  it('without catalog.variants:write cannot change variants, and the answer names the missing scope', async () => {
    const lacking = await allBut('catalog.variants:write');
    const before = await catalogSoFar(apps);
    for (const [method, url, body] of writes) {
      const headers = { 'idempotency-key': 'lacking' };
      const answer = await lacking.request(method, url, { headers, ...(body && { body }) });
      assertRefused(answer, 'insufficient_scope');
      assert.match(answer.json.message, /catalog\.variants:write/);
    }
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('without catalog.products:read cannot list variants', async () => {
    const answer = await (await allBut('catalog.products:read')).get(path);
    assertRefused(answer, 'insufficient_scope');
    assert.match(answer.json.message, /catalog\.products:read/);
  });

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

  it('that does not exist gets 401 from every operation', async () => {
    assertRefused(await apps.anonymous.get(path), 'unauthenticated');
    for (const [method, url, body] of writes)
      assertRefused(await apps.anonymous.request(method, url, { ...(body && { body }) }), 'unauthenticated');
  });
});

describe('a method that a path does not support', () => {
  it('gets 405 with the list of supported methods', async () => {
    for (const [method, url, allow] of [
      ['PUT', path, 'GET, HEAD, POST'],
      ['GET', `${path}/generate`, 'POST'],
      ['GET', `/catalog/variants/${variant.tu_id}`, 'DELETE, PATCH'],
      ['POST', `/catalog/products/${product.tu_id}/axes`, 'GET, HEAD, PUT'],
    ] as const) {
      const answer = await client.request(method, url);
      assertRefused(answer, 'method_not_allowed');
      assert.equal(answer.headers['allow'], allow);
    }
  });
});
