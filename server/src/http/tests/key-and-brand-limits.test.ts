import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, counterAt } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newTuId } from '../../lib/ids.ts';
import { assertDenied, figures, resetOf } from './limit-headers.ts';

const apps = await createTestApps({
  limits: { catalog_key_reads: 5, catalog_key_writes: 12, catalog_brand: 20, address: 6 },
});
const status = '/catalog/status';
const products = '/catalog/products';

describe('the bucket of a key', () => {
  // [platform-52]
  it('shows its limit, what is left of it and when it is full again, then refuses until then', async () => {
    const { client } = await apps.newBrand();
    const earliest = Math.ceil((Date.now() + 60_000) / 1000);
    const first = await client.get(status);
    const latest = Math.ceil((Date.now() + 60_000) / 1000);
    assert.deepEqual(figures(first), [5, 4]);
    assert.ok(resetOf(first) >= earliest && resetOf(first) <= latest);
    for (const left of [3, 2, 1, 0]) {
      const answer = await client.get(status);
      assert.deepEqual([answer.status, ...figures(answer)], [200, 5, left]);
      assert.equal(resetOf(answer), resetOf(first));
      assert.equal(answer.headers['retry-after'], undefined);
    }
    for (let i = 0; i < 3; i += 1) {
      const denied = await client.get(status);
      assertDenied(denied, 5);
      assert.equal(resetOf(denied), resetOf(first));
    }
  });

  it('is one for reads, HEAD among them, and another for writes', async () => {
    const { client } = await apps.newBrand();
    assert.deepEqual(figures(await client.head(status)), [5, 4]);
    assert.deepEqual(figures(await client.get(status)), [5, 3]);
    assert.deepEqual(figures(await client.create(products, { sku: 'A' })), [12, 11]);
    assert.deepEqual(figures(await client.get(status)), [5, 2]);
  });

  it('belongs to that key alone', async () => {
    const { client, brandId } = await apps.newBrand();
    for (let i = 0; i < 6; i += 1) await client.get(status);
    const other = await apps.newKey(brandId);
    assert.deepEqual(figures(await other.client.get(status)), [5, 4]);
  });

  it('is not carried over to the successor of a key', async () => {
    const { client, keyId } = await apps.newBrand();
    await client.get(status);
    const { json } = await apps.admin.post(`/keys/${keyId}/rotate`);
    assert.deepEqual(figures(await apps.clientWith(json.api_key).get(status)), [5, 4]);
  });

  // [platform-50]
  it('counts every answer that its key gets, refusals and replays among them', async () => {
    const { client, brandId } = await apps.newBrand();
    const { json } = await client.create(products, { sku: 'COUNTED' });
    const path = `${products}/${json.tu_id}`;
    const key = { 'idempotency-key': 'replayed' };
    const answers = [
      await client.patch(path, { title: 'x' }, key),
      await client.patch(path, { title: 'x' }, key),
      await client.patch(path, { title: 'y' }, key),
      await client.patch(`${products}/${newTuId()}`, {}),
      await client.create(products, { sku: 'COUNTED' }),
      await client.patch(path, { title: 5 }),
      await client.patch(path, '{'),
      await client.post(products, {}),
      await client.request('POST', products, {
        body: 'x',
        headers: { ...key, 'content-type': 'text/plain' },
      }),
      await client.patch(path, 'x'.repeat(1024 * 1024 + 1)),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.json.code ?? answer.status),
      [
        200,
        200,
        'idempotency_key_reuse',
        'not_found',
        'duplicate_sku',
        'validation_failed',
        'validation_failed',
        'idempotency_key_required',
        'unsupported_media_type',
        'payload_too_large',
      ],
    );
    assert.equal(answers[1]?.headers['idempotency-replayed'], 'true');
    assert.deepEqual(
      answers.map(figures),
      answers.map((_, i) => [12, 10 - i]),
    );
    const reader = await apps.newKey(brandId, ['catalog.products:read']);
    const forbidden = await reader.client.patch(path, {});
    assertRefused(forbidden, 'insufficient_scope');
    // Eleven writes of the one key, and this one: the brand has fewer left than the key.
    assert.deepEqual(figures(forbidden), [20, 8]);
  });
});

describe('the bucket of a brand', () => {
  it('is shown when it has less left, and refuses every key of the brand', async () => {
    const { brandId } = await apps.newBrand();
    for (let i = 0; i < 3; i += 1) {
      const { client } = await apps.newKey(brandId);
      for (let n = 0; n < 5; n += 1) await client.get(status);
    }
    const { client } = await apps.newKey(brandId);
    assert.deepEqual(figures(await client.get(status)), [5, 4]);
    assert.deepEqual(figures(await client.create(products, { sku: 'A' })), [20, 3]);
    assert.deepEqual(figures(await client.get(status)), [20, 2]);
    assert.deepEqual(figures(await client.get(status)), [20, 1]);
    assert.deepEqual(figures(await client.get(status)), [20, 0]);
    const denials = () =>
      counterAt(apps.metrics, 'brandport_rate_limit_denials_total', { bucket: 'catalog_brand' });
    const before = await denials();
    assertDenied(await client.get(status), 20);
    const fresh = await apps.newKey(brandId);
    assertDenied(await fresh.client.get(status), 20);
    assertDenied(await fresh.client.create(products, { sku: 'B' }), 20);
    assert.equal(await denials(), before + 3);

    const elsewhere = await apps.newBrand();
    assert.deepEqual(figures(await elsewhere.client.get(status)), [5, 4]);
  });

  it('loses nothing to a request that the bucket of its key refuses', async () => {
    const { client, brandId } = await apps.newBrand();
    for (let i = 0; i < 5; i += 1) await client.get(status);
    for (let i = 0; i < 40; i += 1) assertDenied(await client.get(status), 5);
    for (let i = 0; i < 2; i += 1) {
      const other = await apps.newKey(brandId);
      for (let n = 0; n < 5; n += 1) assert.equal((await other.client.get(status)).status, 200);
    }
    const last = await apps.newKey(brandId);
    // Sixteen requests were admitted. On a tie the bucket is shown that is full again later: the younger one.
    assert.deepEqual(figures(await last.client.get(status)), [5, 4]);
    assert.deepEqual(figures(await last.client.create(products, { sku: 'A' })), [20, 3]);
  });

  it('admits exactly its limit of many at once', async () => {
    const { brandId } = await apps.newBrand();
    const keys = await Promise.all(Array.from({ length: 10 }, () => apps.newKey(brandId)));
    const answers = await Promise.all(
      keys.flatMap(({ client }) => Array.from({ length: 5 }, () => client.get(status))),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 20);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 30);
  });
});

// [internal-4]
describe('the internal listener', () => {
  it('has no limits', async () => {
    for (let i = 0; i < 30; i += 1) {
      const answer = await apps.admin.get('/brands?per_page=1');
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [200, undefined]);
    }
  });
});
