import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newAxes, newParent, newVariant, ok, selecting } from '../../tests/new-axes.ts';
import { newTee } from './tee.ts';

const apps = await createTestApps();

describe('generating is refused', () => {
  // [catalog-62]
  it('with no_axes_selected, without errors, if the product selects nothing', async () => {
    const { client } = await newTee(apps);
    const bare = await ok(client.create('/catalog/products', { sku: 'BARE' }), 201);
    const answers = await Promise.all(
      [undefined, { dry_run: true }, { sku_template: '{nope}' }].map((body) =>
        client.create(`/catalog/products/${bare.tu_id}/variants/generate`, body),
      ),
    );
    for (const answer of answers) {
      assertRefused(answer, 'no_axes_selected');
      assert.equal('errors' in answer.json, false);
    }
  });

  it('with variant_cap_exceeded, stating count and maximum, for more than 500, even on a dry run and if all exist', async () => {
    const { client } = await newTee(apps);
    const values = Array.from({ length: 501 }, (_, i) => `w${i}`);
    await newAxes(client, { width: values });
    const wide = await newParent(client, { width: values.slice(0, 500) }, { sku: 'WIDE' });
    const wideAxes = `/catalog/products/${wide.tu_id}/axes`;
    const wideGenerate = `/catalog/products/${wide.tu_id}/variants/generate`;
    await ok(client.create(wideGenerate), 201);
    await ok(client.put(wideAxes, selecting({ width: values })));
    await newVariant(client, wide.tu_id, { sku: 'LAST', axis_values: { width: 'w500' } });
    const before = await catalogSoFar(apps);
    for (const body of [undefined, { dry_run: true }]) {
      const answer = await client.create(wideGenerate, body);
      assertRefused(answer, 'variant_cap_exceeded');
      assert.match(answer.json.message, /\b501\b.*\b500\b/);
      assert.equal('errors' in answer.json, false);
    }
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('with 422 on sku_template for an unknown placeholder, one SKU for two, or a SKU that is too long', async () => {
    const { generate } = await newTee(apps);
    const before = await catalogSoFar(apps);
    for (const sku_template of [
      '{sku}-{colour}-{size}',
      '{sku}-{color}',
      `${'x'.repeat(190)}{color}{size}`,
      '{',
    ])
      assertRefused(await generate({ sku_template }), 'validation_failed', ['sku_template']);
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('with 422 on sku_template if the default template produces a SKU that is too long', async () => {
    const { client } = await newTee(apps);
    const long = await newParent(client, { color: ['red'] }, { sku: 'x'.repeat(191) });
    const answer = await client.create(`/catalog/products/${long.tu_id}/variants/generate`);
    assertRefused(answer, 'validation_failed', ['sku_template']);
  });

  // [catalog-66]
  it('with conflict if a product, a variant or a deleted variant has a SKU, and nothing is created', async () => {
    const { client, generate } = await newTee(apps);
    const other = await newParent(client, { color: ['red', 'blue'] });
    await ok(client.create('/catalog/products', { sku: 'of-product-red-s' }), 201);
    await newVariant(client, other.tu_id, { sku: 'of-variant-blue-l', axis_values: { color: 'red' } });
    const deleted = await newVariant(client, other.tu_id, {
      sku: 'of-deleted-blue-m',
      axis_values: { color: 'blue' },
    });
    assert.equal((await client.delete(`/catalog/variants/${deleted.tu_id}`)).status, 204);
    const before = await catalogSoFar(apps);
    for (const [holder, taken] of [
      ['product', 'red-s'],
      ['variant', 'blue-l'],
      ['deleted', 'blue-m'],
    ]) {
      const answer = await generate({ sku_template: `of-${holder}-{color}-{size}` });
      assertRefused(answer, 'conflict');
      assert.match(answer.json.message, new RegExp(`of-${holder}-${taken}`));
    }
    assert.deepEqual(await catalogSoFar(apps), before);
  });

  it('with conflict if the template produces the product’s own SKU', async () => {
    const { client } = await newTee(apps);
    const single = await newParent(client, { color: ['red'] }, { sku: 'SINGLE' });
    const answer = await client.create(`/catalog/products/${single.tu_id}/variants/generate`, {
      sku_template: '{sku}',
    });
    assertRefused(answer, 'conflict');
  });

  it('without an Idempotency-Key', async () => {
    const { client, path } = await newTee(apps);
    for (const body of [undefined, { dry_run: true }])
      assertRefused(await client.post(path, body), 'idempotency_key_required');
  });
});
