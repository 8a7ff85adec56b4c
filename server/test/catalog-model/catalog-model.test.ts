// processes, alone: random writes of several clients, compared with a model
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyBrandFeeds } from '../../src/catalog/feeds/apply-feeds.ts';
import type { ApiClient } from '../support/api-client.ts';
import { createTestApps, type TestBrand } from '../support/test-apps.ts';
import { assertDoctorFindsNothing } from './assert-doctor-finds-nothing.ts';
import { modelProductFigures, modelVariantFigures } from './model.ts';
import { colours, locations, ModelClient, sizes } from './model-client.ts';
import { randomOperation } from './operations.ts';

const apps = await createTestApps();

/** A brand with an axis library and locations that all clients share. */
async function newCatalog(): Promise<TestBrand> {
  const brand = await apps.newBrand();
  const { client } = brand;
  for (const [code, values] of [
    ['colour', colours],
    ['size', sizes],
  ] as const) {
    const axis = { code, label: code, values: values.map((value) => ({ value, label: value })) };
    assert.equal((await client.post('/catalog/axes', axis)).status, 201);
  }
  for (const code of locations)
    assert.equal((await client.post('/catalog/stock/locations', { external_code: code })).status, 201);
  return brand;
}

/** Applies the brand's feeds as the worker does until none is left; a second caller waits for the first. */
function feedApplier(brandId: number) {
  const observer = {
    feedFinished: () => {},
    chunkFailed: (_feed: string, error: unknown) => {
      throw error;
    },
  };
  return async () => {
    while ((await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 1_000 })) !== 'finished');
  };
}

async function compare(client: ApiClient, writers: readonly ModelClient[], inactive: ReadonlySet<string>) {
  const products = writers.flatMap((writer) => writer.products);
  for (const product of products) {
    const { json } = await client.get(`/catalog/products/${product.tuId}`);
    const expected = modelProductFigures(product, inactive);
    assert.deepEqual(part(json, Object.keys(expected)), expected);
    const variants = new Map<string, Record<string, unknown>>(
      json.variants.map((variant: { tu_id: string }) => [variant.tu_id, variant]),
    );
    assert.equal(variants.size, product.variants.length);
    for (const variant of product.variants) {
      const figures = modelVariantFigures(product, variant, inactive);
      assert.deepEqual(part(variants.get(variant.tuId) ?? {}, Object.keys(figures)), figures);
    }
  }
  for (const [query, matches] of [
    ['', () => true],
    ['is_active=true', ({ isActive }) => isActive],
    ['is_active=false', ({ isActive }) => !isActive],
    ['has_variants=true', ({ variants }) => variants.length > 0],
    ['has_variants=false&is_active=true', ({ variants, isActive }) => variants.length === 0 && isActive],
  ] satisfies [string, (product: (typeof products)[number]) => boolean][]) {
    const { json } = await client.get(`/catalog/products?per_page=200&${query}`);
    assert.equal(json.meta.total, products.filter(matches).length, query);
    for (const item of json.data) {
      const product = products.find(({ tuId }) => tuId === item.tu_id);
      assert.ok(product !== undefined);
      const expected = modelProductFigures(product, inactive);
      assert.deepEqual(part(item, Object.keys(expected)), expected);
    }
  }
}

function part(whole: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]]));
}

test('reads agree with a model in memory while several clients write', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(randomOperation, { minLength: 5, maxLength: 40 }), { minLength: 2, maxLength: 4 }),
      async (scripts) => {
        const { client, brandId } = await newCatalog();
        const applyFeeds = feedApplier(brandId);
        const writers = scripts.map((_, index) => new ModelClient(`w${index}`, client, applyFeeds));
        await Promise.all(
          scripts.map(async (script, index) => {
            for (const operation of script) await writers[index]?.run(operation);
          }),
        );
        await compare(client, writers, new Set());
        assert.equal(
          (await client.patch('/catalog/stock/locations/outlet', { is_active: false })).status,
          200,
        );
        await compare(client, writers, new Set(['outlet']));
        await assertDoctorFindsNothing(apps.address);
      },
    ),
    { numRuns: 12 },
  );
});
