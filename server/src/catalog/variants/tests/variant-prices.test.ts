import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { assertRollupsTrue, newAxes, newParent, newVariant, ok } from '../../tests/new-axes.ts';

const apps = await createTestApps();
const values = ['a', 'b', 'c', 'd'];
let client: ApiClient;
// biome-ignore lint/suspicious/noExplicitAny: a product as it is served.
let product: any;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { v: values });
  product = await newParent(client, { v: values });
  await ok(client.patch(`/catalog/products/${product.tu_id}`, { price_value: 20 }));
});

const productNow = () => ok(client.get(`/catalog/products/${product.tu_id}`));
const variantsNow = async () => (await ok(client.get(`/catalog/products/${product.tu_id}/variants`))).data;
const variant = (v: string, fields: object = {}) =>
  newVariant(client, product.tu_id, { sku: `SKU-${v}`, axis_values: { v }, is_active: true, ...fields });
const patch = (target: { tu_id: string }, body: object) =>
  ok(client.patch(`/catalog/variants/${target.tu_id}`, body));

describe('the price of a variant', () => {
  // [catalog-53] [catalog-54]
  it('is inherited until it is overridden, and again once the override is cleared, in either spelling', async () => {
    const a = await variant('a');
    assert.deepEqual(a.price, { value: 20, currency: 'EUR', inherited: true });
    for (const cleared of [{ price: null }, { price: { value: null } }]) {
      const own = await patch(a, { price: { value: 24.9999 } });
      assert.deepEqual(own.price, { value: 24.9999, currency: 'EUR', inherited: false });
      assert.deepEqual((await patch(a, cleared)).price, { value: 20, currency: 'EUR', inherited: true });
    }
  });

  it('that equals the product’s is still its own', async () => {
    const a = await variant('a', { price: { value: 20 } });
    assert.equal(a.price.inherited, false);
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { price_value: 30 }));
    assert.deepEqual((await variantsNow())[0].price, { value: 20, currency: 'EUR', inherited: false });
  });

  it('is always in the product’s current currency', async () => {
    await variant('a');
    await variant('b', { price: { value: 5 } });
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { price_currency: 'SEK' }));
    const prices = (await variantsNow()).map(({ price }: { price: object }) => price);
    assert.deepEqual(prices, [
      { value: 20, currency: 'SEK', inherited: true },
      { value: 5, currency: 'SEK', inherited: false },
    ]);
    assert.deepEqual((await productNow()).price_range, { min: 5, max: 20, currency: 'SEK' });
  });
});

describe('a change of the product’s price', () => {
  it('shows at once in every inheriting variant and in price_range, and writes to no variant', async () => {
    await variant('a');
    await variant('b', { price: { value: 25 } });
    await variant('c', { is_active: false });
    const before = await variantsNow();
    const answer = await ok(client.patch(`/catalog/products/${product.tu_id}`, { price_value: 99.5 }));
    assert.deepEqual(answer.price_range, { min: 25, max: 99.5, currency: 'EUR' });
    const after = await variantsNow();
    assert.deepEqual(
      after.map(({ price }: { price: { value: number } }) => price.value),
      [99.5, 25, 99.5],
    );
    assert.deepEqual(
      after.map(({ updated_at }: { updated_at: string }) => updated_at),
      before.map(({ updated_at }: { updated_at: string }) => updated_at),
    );
    const list = (await ok(client.get('/catalog/products'))).data[0];
    assert.deepEqual(list.price_range, answer.price_range);
  });
});

// [catalog-6]
describe('price_range', () => {
  it('is null without active variants', async () => {
    assert.equal((await productNow()).price_range, null);
    await variant('a', { is_active: false, price: { value: 1 } });
    const { price_range, has_variants } = await productNow();
    assert.deepEqual([price_range, has_variants], [null, true]);
  });

  it('covers active variants only', async () => {
    const a = await variant('a', { price: { value: 1 } });
    await variant('b', { price: { value: 5 } });
    await variant('c', { price: { value: 100 }, is_active: false });
    assert.deepEqual((await productNow()).price_range, { min: 1, max: 5, currency: 'EUR' });
    await patch(a, { is_active: false });
    assert.deepEqual((await productNow()).price_range, { min: 5, max: 5, currency: 'EUR' });
  });

  it('equals that of a model after any sequence of changes', async () => {
    const price = fc.option(fc.integer({ min: 0, max: 50 }), { nil: null });
    const step = fc.record({
      target: fc.integer({ min: 0, max: 4 }),
      price,
      is_active: fc.boolean(),
      remove: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const parent = await newParent(client, { v: values });
        const model = new Map<string, { tu_id: string; price: number | null; is_active: boolean }>();
        let productPrice = 0;
        for (const [index, { target, price: value, is_active, remove }] of steps.entries()) {
          const v = values[target];
          const present = v === undefined ? undefined : model.get(v);
          if (v === undefined) {
            productPrice = value ?? 0;
            await ok(client.patch(`/catalog/products/${parent.tu_id}`, { price_value: productPrice }));
          } else if (present === undefined) {
            const body = { is_active, price: { value } };
            const { tu_id } = await newVariant(client, parent.tu_id, {
              sku: `${parent.tu_id}-${index}`,
              axis_values: { v },
              ...body,
            });
            model.set(v, { tu_id, price: value, is_active });
          } else if (remove) {
            await ok(client.delete(`/catalog/variants/${present.tu_id}`), 204);
            model.delete(v);
          } else {
            await patch(present, { is_active, price: { value } });
            model.set(v, { ...present, price: value, is_active });
          }
        }
        const active = [...model.values()].filter(({ is_active }) => is_active);
        const effective = active.map((entry) => entry.price ?? productPrice);
        const expected =
          active.length === 0
            ? null
            : { min: Math.min(...effective), max: Math.max(...effective), currency: 'EUR' };
        const { price_range, has_variants } = await ok(client.get(`/catalog/products/${parent.tu_id}`));
        assert.deepEqual([price_range, has_variants], [expected, model.size > 0]);
      }),
      { numRuns: 25 },
    );
    await assertRollupsTrue(apps);
  });
});
