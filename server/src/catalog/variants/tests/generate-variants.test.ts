import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import {
  assertRollupsTrue,
  catalogSoFar,
  newAxes,
  newParent,
  newVariant,
  ok,
  selecting,
} from '../../tests/new-axes.ts';
import { firstVariant, newTee } from './tee.ts';

const apps = await createTestApps();
const skusOf = (variants: { sku: string }[]) => variants.map(({ sku }) => sku);
const allSkus = ['TEE-red-s', 'TEE-red-m', 'TEE-red-l', 'TEE-blue-s', 'TEE-blue-m', 'TEE-blue-l'];

describe('generating variants', () => {
  // [catalog-59]
  it('creates every combination of the selection in order, the first axis slowest', async () => {
    const { client, product, variantsPath, generate } = await newTee(apps);
    const before = await ok(client.get(`/catalog/products/${product.tu_id}`));
    const answer = await ok(generate(), 201);
    const { variants, ...counts } = answer;
    assert.deepEqual(counts, { dry_run: false, total_combinations: 6, created: 6, skipped_existing: 0 });
    assert.deepEqual(skusOf(variants), allSkus);
    const { tu_id, created_at, updated_at, ...first } = variants[0];
    assert.deepEqual(first, firstVariant(product.tu_id, 'TEE-red-s', 0));
    assert.match(tu_id, /^[A-Za-z0-9_-]{21}$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(
      variants.map(({ position }: { position: number }) => position),
      [0, 1, 2, 3, 4, 5],
    );
    const after = await ok(client.get(`/catalog/products/${product.tu_id}`));
    assert.deepEqual([after.has_variants, after.updated_at], [true, updated_at]);
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual((await ok(client.get(variantsPath))).data, variants);
    await assertRollupsTrue(apps);
  });

  it('follows the library’s order of values, regardless of their order in PUT', async () => {
    const { client, product, generate } = await newTee(apps);
    await ok(
      client.put(
        `/catalog/products/${product.tu_id}/axes`,
        selecting({ size: ['l', 's'], color: ['blue', 'red'] }),
      ),
    );
    const { variants } = await ok(generate(), 201);
    assert.deepEqual(skusOf(variants), ['TEE-s-red', 'TEE-s-blue', 'TEE-l-red', 'TEE-l-blue']);
  });

  // [catalog-59]
  it('skips existing combinations and creates the rest, after the existing positions', async () => {
    const { client, product, variantsPath, generate } = await newTee(apps);
    const existing = await newVariant(client, product.tu_id, {
      sku: 'MINE',
      axis_values: { color: 'red', size: 'm' },
      is_active: true,
    });
    const { variants, ...counts } = await ok(generate({ activate: false }), 201);
    assert.deepEqual(counts, { dry_run: false, total_combinations: 6, created: 5, skipped_existing: 1 });
    assert.deepEqual(
      skusOf(variants),
      allSkus.filter((sku) => sku !== 'TEE-red-m'),
    );
    const { data } = await ok(client.get(variantsPath));
    assert.deepEqual(skusOf(data), ['MINE', ...skusOf(variants)]);
    assert.deepEqual(data[0], existing);
    assert.equal(data[5].position, 5);
  });

  it('with nothing to create gives 201 and changes nothing, not even updated_at', async () => {
    const { generate } = await newTee(apps);
    await ok(generate(), 201);
    const before = await catalogSoFar(apps);
    const { variants, ...counts } = await ok(generate({ activate: true }), 201);
    assert.deepEqual(
      [counts, variants],
      [{ dry_run: false, total_combinations: 6, created: 0, skipped_existing: 6 }, []],
    );
    const moved = { versions: 0, idempotency_records: 0 };
    assert.deepEqual({ ...(await catalogSoFar(apps)), ...moved }, { ...before, ...moved });
  });

  it('creates a deleted combination again, but not under its old SKU, which stays taken', async () => {
    const { client, generate } = await newTee(apps);
    const { variants } = await ok(generate(), 201);
    assert.equal((await client.delete(`/catalog/variants/${variants[0].tu_id}`)).status, 204);
    const before = await catalogSoFar(apps);
    const refused = await generate();
    assertRefused(refused, 'conflict');
    assert.match(refused.json.message, /TEE-red-s/);
    assert.deepEqual(await catalogSoFar(apps), before);
    const again = await ok(generate({ sku_template: '{sku}-{color}-{size}-2' }), 201);
    assert.deepEqual(skusOf(again.variants), ['TEE-red-s-2']);
    await assertRollupsTrue(apps);
  });

  // [catalog-60]
  it('with activate creates active variants, which count for the price range', async () => {
    const { client, product, generate } = await newTee(apps);
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { price_value: 12.5 }));
    const { variants } = await ok(generate({ activate: true }), 201);
    assert.ok(variants.every(({ is_active }: { is_active: boolean }) => is_active));
    const { price_range } = await ok(client.get(`/catalog/products/${product.tu_id}`));
    assert.deepEqual(price_range, { min: 12.5, max: 12.5, currency: 'EUR' });
  });

  it('creates 500 at once', async () => {
    const { client } = await newTee(apps);
    const values = Array.from({ length: 50 }, (_, i) => `w${i}`);
    const ten = Array.from({ length: 10 }, (_, i) => `h${i}`);
    await newAxes(client, { width: values, height: ten });
    const wide = await newParent(client, { width: values, height: ten });
    const answer = await ok(client.create(`/catalog/products/${wide.tu_id}/variants/generate`), 201);
    assert.deepEqual([answer.created, answer.variants.length], [500, 500]);
    assert.deepEqual(answer.variants[499].axis_values, { width: 'w49', height: 'h9' });
    await assertRollupsTrue(apps);
  });
});

describe('a SKU template', () => {
  it('is rendered for each combination', async () => {
    const { generate } = await newTee(apps);
    const { variants } = await ok(generate({ sku_template: '{size}/{sku}/{color}-é' }), 201);
    assert.deepEqual(skusOf(variants).slice(0, 2), ['s/TEE/red-é', 'm/TEE/red-é']);
  });

  it('uses the product’s current SKU', async () => {
    const { client, product, generate } = await newTee(apps);
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { sku: 'TEE-NEW' }));
    const { variants } = await ok(generate(), 201);
    assert.equal(variants[0].sku, 'TEE-NEW-red-s');
  });
});
