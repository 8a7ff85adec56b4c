import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { catalogSoFar, newVariant, ok } from '../../tests/new-axes.ts';
import { newTee } from './tee.ts';

const apps = await createTestApps();

describe('the body of a generation', () => {
  // [catalog-60]
  it('may be omitted: no body, an empty one, with or without a content type', async () => {
    const { client, path } = await newTee(apps);
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

  it('gives the same fingerprint whether it is absent or empty', async () => {
    const { client, path } = await newTee(apps);
    const headers = { 'idempotency-key': 'nothing' };
    const first = await client.request('POST', path, { headers });
    const again = await client.request('POST', path, { headers, body: '' });
    assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
    assertRefused(await client.request('POST', path, { headers, body: {} }), 'idempotency_key_reuse');
  });

  it('must be an object if it is sent', async () => {
    const { generate } = await newTee(apps);
    for (const body of ['null', '[]', '"x"', '7', '{', ' '])
      assertRefused(await generate(body), 'validation_failed', ['body']);
  });

  it('is optional in the reference too', async () => {
    const { paths } = (await apps.clientApp.inject('/openapi.json')).json();
    const required = (operation: string) =>
      paths[`/v1/client/catalog/products/{tuId}/${operation}`].post.requestBody.required;
    assert.deepEqual([required('variants/generate'), required('variants')], [false, true]);
  });
});

describe('a dry run', () => {
  // [catalog-63]
  it('gives 200 with the plan and writes nothing', async () => {
    const { client, product, generate } = await newTee(apps);
    await newVariant(client, product.tu_id, { sku: 'MINE', axis_values: { color: 'red', size: 'm' } });
    const before = await catalogSoFar(apps);
    const answer = await ok(generate({ dry_run: true, activate: true }));
    assert.deepEqual(answer, { dry_run: true, total_combinations: 6, would_create: 5, skipped_existing: 1 });
    const record = { idempotency_records: 0 };
    assert.deepEqual({ ...(await catalogSoFar(apps)), ...record }, { ...before, ...record });
  });

  it('writes nothing even in a brand whose catalog never changed', async () => {
    const fresh = await apps.newBrand();
    assertRefused(
      await fresh.client.create('/catalog/products/aaaaaaaaaaaaaaaaaaaaa/variants/generate', {
        dry_run: true,
      }),
      'not_found',
    );
    assert.deepEqual(
      await apps.sql('select version from brand_catalogs where brand_id = $1', [fresh.brandId]),
      [{ version: 0 }],
    );
  });

  it('does not wait for a concurrent change of the catalog', async () => {
    const { generate } = await newTee(apps);
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

  it('reports the same errors as a generation, but no SKUs that are taken', async () => {
    const { client, generate } = await newTee(apps);
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

  it('is replayed from its Idempotency-Key, regardless of later changes', async () => {
    const { client, path, generate } = await newTee(apps);
    const headers = { 'idempotency-key': 'plan' };
    const first = await client.post(path, { dry_run: true }, headers);
    await ok(generate(), 201);
    const again = await client.post(path, { dry_run: true }, headers);
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  });
});
