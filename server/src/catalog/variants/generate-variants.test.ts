import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ApiClient } from '../../../test/kit/api-client.ts';
import { createTestApps } from '../../../test/kit/test-apps.ts';
import { assertRefused } from '../../http/refusal.fixture.ts';
import {
  assertRollupsTrue,
  catalogSoFar,
  newAxes,
  newParent,
  newVariant,
  ok,
  selecting,
} from '../catalog.fixture.ts';

const apps = await createTestApps();
let client: ApiClient;
// biome-ignore lint/suspicious/noExplicitAny: a product as it is served.
let product: any;
let path: string;
let variantsPath: string;

beforeEach(async () => {
  ({ client } = await apps.newBrand());
  await newAxes(client, { color: ['red', 'blue'], size: ['s', 'm', 'l'] });
  product = await newParent(client, { color: ['red', 'blue'], size: ['s', 'm', 'l'] }, { sku: 'TEE' });
  variantsPath = `/catalog/products/${product.tu_id}/variants`;
  path = `${variantsPath}/generate`;
});

const generate = (body?: unknown) => client.create(path, body);
const skusOf = (variants: { sku: string }[]) => variants.map(({ sku }) => sku);
const allSkus = ['TEE-red-s', 'TEE-red-m', 'TEE-red-l', 'TEE-blue-s', 'TEE-blue-m', 'TEE-blue-l'];

describe('generating variants', () => {
  it('makes every combination of the selection in order, the first axis slowest', async () => {
    const before = await ok(client.get(`/catalog/products/${product.tu_id}`));
    const answer = await ok(generate(), 201);
    const { variants, ...counts } = answer;
    assert.deepEqual(counts, { total_combinations: 6, created: 6, skipped_existing: 0 });
    assert.deepEqual(skusOf(variants), allSkus);
    const { tu_id, created_at, updated_at, ...first } = variants[0];
    assert.deepEqual(first, {
      product_tu_id: product.tu_id,
      sku: 'TEE-red-s',
      barcode: null,
      axis_values: { color: 'red', size: 's' },
      price: { value: 0, currency: 'EUR', inherited: true },
      position: 0,
      is_active: false,
      availability: { status: null, quantity: 0 },
    });
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

  it('takes the library’s order of values, whatever order PUT named them in', async () => {
    await ok(
      client.put(
        `/catalog/products/${product.tu_id}/axes`,
        selecting({ size: ['l', 's'], color: ['blue', 'red'] }),
      ),
    );
    const { variants } = await ok(generate(), 201);
    assert.deepEqual(skusOf(variants), ['TEE-s-red', 'TEE-s-blue', 'TEE-l-red', 'TEE-l-blue']);
  });

  it('skips combinations that exist and makes the rest, after the positions that are there', async () => {
    const existing = await newVariant(
      client,
      product.tu_id,
      'MINE',
      { color: 'red', size: 'm' },
      { is_active: true },
    );
    const { variants, ...counts } = await ok(generate({ activate: false }), 201);
    assert.deepEqual(counts, { total_combinations: 6, created: 5, skipped_existing: 1 });
    assert.deepEqual(
      skusOf(variants),
      allSkus.filter((sku) => sku !== 'TEE-red-m'),
    );
    const { data } = await ok(client.get(variantsPath));
    assert.deepEqual(skusOf(data), ['MINE', ...skusOf(variants)]);
    assert.deepEqual(data[0], existing);
    assert.equal(data[5].position, 5);
  });

  it('that has nothing to make answers 201 and moves nothing, not even updated_at', async () => {
    await ok(generate(), 201);
    const before = await catalogSoFar(apps);
    const { variants, ...counts } = await ok(generate({ activate: true }), 201);
    assert.deepEqual([counts, variants], [{ total_combinations: 6, created: 0, skipped_existing: 6 }, []]);
    const moved = { versions: 0, idempotency_records: 0 };
    assert.deepEqual({ ...(await catalogSoFar(apps)), ...moved }, { ...before, ...moved });
  });

  it('makes a deleted combination again, but not under the SKU that stays taken', async () => {
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

  it('with activate makes active variants, which count for the price range', async () => {
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { price_value: 12.5 }));
    const { variants } = await ok(generate({ activate: true }), 201);
    assert.ok(variants.every(({ is_active }: { is_active: boolean }) => is_active));
    const { price_range } = await ok(client.get(`/catalog/products/${product.tu_id}`));
    assert.deepEqual(price_range, { min: 12.5, max: 12.5, currency: 'EUR' });
  });

  it('makes 500 at once', async () => {
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

describe('the body of a generation', () => {
  it('may be left out: no body, an empty one, with or without a content type', async () => {
    for (const [index, options] of [
      {},
      { body: '' },
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-length': '0' } },
      { body: {} },
    ].entries()) {
      const headers = { ...(options as { headers?: object }).headers, 'idempotency-key': `omitted-${index}` };
      const answer = await client.request('POST', path, { ...options, headers });
      assert.equal(answer.status, 201, answer.text);
      assert.equal(answer.json.total_combinations, 6);
    }
  });

  it('counts as the same request whether it is absent or empty', async () => {
    const headers = { 'idempotency-key': 'nothing' };
    const first = await client.request('POST', path, { headers });
    const again = await client.request('POST', path, { headers, body: '' });
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assertRefused(await client.request('POST', path, { headers, body: {} }), 'idempotency_key_reuse');
  });

  it('is an object where it is sent', async () => {
    for (const body of ['null', '[]', '"x"', '7', '{', ' '])
      assertRefused(await generate(body), 'validation_failed', ['body']);
  });

  it('may be left out in the reference too', async () => {
    const { paths } = (await apps.clientApp.inject('/openapi.json')).json();
    const required = (operation: string) =>
      paths[`/v1/client/catalog/products/{tuId}/${operation}`].post.requestBody.required;
    assert.deepEqual([required('variants/generate'), required('variants')], [false, true]);
  });
});

describe('a dry run', () => {
  it('answers 200 with the plan and writes nothing', async () => {
    await newVariant(client, product.tu_id, 'MINE', { color: 'red', size: 'm' });
    const before = await catalogSoFar(apps);
    const answer = await ok(generate({ dry_run: true, activate: true }));
    assert.deepEqual(answer, { total_combinations: 6, would_create: 5, skipped_existing: 1 });
    const record = { idempotency_records: 0 };
    assert.deepEqual({ ...(await catalogSoFar(apps)), ...record }, { ...before, ...record });
  });

  it('writes nothing in a brand whose catalog never changed either', async () => {
    const fresh = await apps.newBrand();
    assertRefused(
      await fresh.client.create('/catalog/products/aaaaaaaaaaaaaaaaaaaaa/variants/generate', {
        dry_run: true,
      }),
      'not_found',
    );
    assert.deepEqual(await apps.sql('select 1 from brand_catalogs where brand_id = $1', [fresh.brandId]), []);
  });

  it('does not wait for a change of the catalog that is under way', async () => {
    const connection = await apps.database.pool.connect();
    try {
      await connection.query('begin');
      await connection.query('select 1 from brand_catalogs for update');
      await connection.query('select 1 from products for update');
      assert.equal((await generate({ dry_run: true })).status, 200);
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  });

  it('finds the same faults as a generation, and says nothing of SKUs that are taken', async () => {
    assertRefused(await generate({ dry_run: true, sku_template: '{nope}' }), 'validation_failed', [
      'sku_template',
    ]);
    assertRefused(await generate({ dry_run: true, sku_template: '{sku}' }), 'validation_failed', [
      'sku_template',
    ]);
    await ok(client.create('/catalog/products', { sku: 'TEE-red-s' }), 201);
    assert.equal((await ok(generate({ dry_run: true }))).would_create, 6);
    assertRefused(await generate({ dry_run: false }), 'conflict');
  });

  it('is answered again from its Idempotency-Key, whatever happened meanwhile', async () => {
    const headers = { 'idempotency-key': 'plan' };
    const first = await client.post(path, { dry_run: true }, headers);
    await ok(generate(), 201);
    const again = await client.post(path, { dry_run: true }, headers);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });
});

describe('generating is refused', () => {
  it('with no_axes_selected, without errors, where the product selects nothing', async () => {
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

  it('with variant_cap_exceeded, stating count and maximum, for more than 500, on a dry run and where all exist too', async () => {
    const values = Array.from({ length: 501 }, (_, i) => `w${i}`);
    await newAxes(client, { width: values });
    const wide = await newParent(client, { width: values.slice(0, 500) }, { sku: 'WIDE' });
    const wideAxes = `/catalog/products/${wide.tu_id}/axes`;
    const wideGenerate = `/catalog/products/${wide.tu_id}/variants/generate`;
    await ok(client.create(wideGenerate), 201);
    await ok(client.put(wideAxes, selecting({ width: values })));
    await newVariant(client, wide.tu_id, 'LAST', { width: 'w500' });
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

  it('with 422 on sku_template where the default template makes a SKU that is too long', async () => {
    const long = await newParent(client, { color: ['red'] }, { sku: 'x'.repeat(191) });
    const answer = await client.create(`/catalog/products/${long.tu_id}/variants/generate`);
    assertRefused(answer, 'validation_failed', ['sku_template']);
  });

  it('with conflict where a SKU is taken by a product, a variant or a deleted variant, and nothing is created', async () => {
    const other = await newParent(client, { color: ['red', 'blue'] });
    await ok(client.create('/catalog/products', { sku: 'of-product-red-s' }), 201);
    await newVariant(client, other.tu_id, 'of-variant-blue-l', { color: 'red' });
    const deleted = await newVariant(client, other.tu_id, 'of-deleted-blue-m', { color: 'blue' });
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

  it('with conflict where the product’s own SKU would be made', async () => {
    const single = await newParent(client, { color: ['red'] }, { sku: 'SINGLE' });
    const answer = await client.create(`/catalog/products/${single.tu_id}/variants/generate`, {
      sku_template: '{sku}',
    });
    assertRefused(answer, 'conflict');
  });

  it('with 404 for a product that is not there, with the same bytes for one of another brand', async () => {
    const other = await apps.newBrand();
    const theirs = await ok(other.client.create('/catalog/products', { sku: 'THEIRS' }), 201);
    const texts = new Set<string>();
    for (const id of [theirs.tu_id, 'aaaaaaaaaaaaaaaaaaaaa', 'short', '%00'])
      for (const body of [undefined, { dry_run: true }]) {
        const answer = await client.create(`/catalog/products/${id}/variants/generate`, body);
        assertRefused(answer, 'not_found');
        texts.add(answer.text);
      }
    assert.equal(texts.size, 1);
  });

  it('without an Idempotency-Key', async () => {
    for (const body of [undefined, { dry_run: true }])
      assertRefused(await client.post(path, body), 'idempotency_key_required');
  });
});

describe('a SKU template', () => {
  it('is rendered for each combination', async () => {
    const { variants } = await ok(generate({ sku_template: '{size}/{sku}/{color}-é' }), 201);
    assert.deepEqual(skusOf(variants).slice(0, 2), ['s/TEE/red-é', 'm/TEE/red-é']);
  });

  it('takes the product’s SKU as it is now', async () => {
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { sku: 'TEE-NEW' }));
    const { variants } = await ok(generate(), 201);
    assert.equal(variants[0].sku, 'TEE-NEW-red-s');
  });
});
