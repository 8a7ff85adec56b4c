import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterAt } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newLocation, newSimple, setAsFeed } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const hour = 3_600_000;

/** Returns the reads that the cache served and did not serve while `work` ran. */
async function countReads(work: () => Promise<unknown>): Promise<{ hits: number; misses: number }> {
  const count = async () => {
    const at = (outcome: string) =>
      counterAt(apps.metrics, 'brandport_response_cache_reads_total', { outcome });
    return [await at('hit'), await at('miss')] as const;
  };
  const before = await count();
  await work();
  const after = await count();
  return { hits: after[0] - before[0], misses: after[1] - before[1] };
}

describe('a repeated read', () => {
  it('is served from the cache from the third time until something changes, with the same bytes and headers', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    for (const path of [`/catalog/products/${tu_id}`, '/catalog/products', '/catalog/products?sku=none']) {
      const first = await client.get(path);
      assert.deepEqual(await countReads(() => client.get(path)), { hits: 0, misses: 1 }, path);
      const again: Awaited<ReturnType<typeof client.get>>[] = [];
      const reads = await countReads(async () => {
        for (let n = 0; n < 3; n += 1) again.push(await client.get(path));
      });
      assert.deepEqual(reads, { hits: 3, misses: 0 }, path);
      for (const { status, text, headers } of again) {
        assert.deepEqual([status, text], [200, first.text]);
        assert.deepEqual(
          { ...headers, date: '', 'x-request-id': '' },
          { ...first.headers, date: '', 'x-request-id': '' },
        );
      }
      const head = await client.head(path);
      assert.equal(head.headers['content-length'], first.headers['content-length']);
      await ok(client.patch(`/catalog/products/${tu_id}`, { title: `Changed ${path}` }));
      assert.deepEqual(await countReads(() => client.get(path)), { hits: 0, misses: 1 }, path);
      assert.deepEqual(await countReads(() => client.get(path)), { hits: 1, misses: 0 }, path);
    }
  });

  it('is found with its parameters in any order, and can be a 304', async () => {
    const { client } = await apps.newBrand();
    await newSimple(client);
    await client.get('/catalog/products?sort=sku&per_page=7');
    const { headers } = await client.get('/catalog/products?sort=sku&per_page=7');
    const reads = await countReads(() => client.get('/catalog/products?per_page=7&sort=sku'));
    assert.deepEqual(reads, { hits: 1, misses: 0 });
    for (const tag of [headers['etag'] ?? '', '*']) {
      const answer = await client.get('/catalog/products?sort=sku&per_page=7', { 'if-none-match': tag });
      assert.deepEqual([answer.status, answer.text], [304, '']);
    }
  });

  it('that fails is not kept', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const missing = `${tu_id.slice(0, -1)}${tu_id.endsWith('A') ? 'B' : 'A'}`;
    for (let n = 0; n < 2; n += 1)
      assert.equal((await client.get(`/catalog/products/${missing}`)).status, 404);
  });
});

describe('a kept body', () => {
  it('is never served to another brand, even for the same path, query and scopes', async () => {
    const brands = [await apps.newBrand(), await apps.newBrand()];
    for (const [n, { client }] of brands.entries())
      await ok(client.create('/catalog/products', { sku: 'SAME', title: `Of brand ${n}` }), 201);
    const [first] = brands;
    const { tu_id } = (await ok((first as (typeof brands)[0]).client.get('/catalog/products'))).data[0];
    for (let round = 0; round < 3; round += 1)
      for (const [n, { client, brandId }] of brands.entries()) {
        const { data } = await ok(client.get('/catalog/products?sku=SAME'));
        assert.deepEqual(
          data.map((item: { brand_id: number; title: string }) => [item.brand_id, item.title]),
          [[brandId, `Of brand ${n}`]],
        );
        assert.equal((await client.get(`/catalog/products/${tu_id}`)).status, n === 0 ? 200 : 404);
      }
  });

  it('is never served to a key with other scopes', async () => {
    const { client, brandId } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const { client: limited } = await apps.newKey(brandId, ['catalog.products:read']);
    for (let round = 0; round < 3; round += 1)
      for (const path of ['/catalog/products', `/catalog/products/${tu_id}`]) {
        assert.match((await client.get(path)).text, /stock_summary/);
        assert.doesNotMatch((await limited.get(path)).text, /stock_summary/);
      }
  });

  it('is served again to another key of the brand that has the same scopes', async () => {
    const { client, brandId } = await apps.newBrand();
    await newSimple(client);
    for (let n = 0; n < 2; n += 1) await client.get('/catalog/products');
    const { client: second } = await apps.newKey(brandId);
    assert.deepEqual(await countReads(() => second.get('/catalog/products')), { hits: 1, misses: 0 });
  });

  it('is not served after the instant at which stock becomes stale, nor before it if the clock is set back', async () => {
    const { client, brandId } = await apps.newBrand({ settings: { stale_after_hours: 1 } });
    await newLocation(client, 'WH');
    const { tu_id, sku } = await newSimple(client);
    const updatedAt = new Date(apps.clock.now() - hour / 2).toISOString();
    await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 9, updatedAt });
    const statuses = async () => {
      const detail = await ok(client.get(`/catalog/products/${tu_id}`));
      const list = await ok(client.get('/catalog/products'));
      return [detail.availability.status, list.data[0].availability.status];
    };
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 3; n += 1) assert.deepEqual(await statuses(), ['in_stock', 'in_stock']);
      apps.clock.advance(hour);
      for (let n = 0; n < 3; n += 1) assert.deepEqual(await statuses(), ['stale', 'stale']);
      apps.clock.advance(-hour);
    }
  });

  it('is compressed for each client as it accepts', async () => {
    const { client } = await apps.newBrand();
    for (let n = 0; n < 5; n += 1) await newSimple(client);
    const plain = await client.get('/catalog/products');
    for (const coding of ['gzip', 'br', 'gzip']) {
      const { headers, text } = await client.get('/catalog/products', { 'accept-encoding': coding });
      assert.deepEqual([headers['content-encoding'], text], [coding, plain.text]);
    }
    assert.equal((await client.get('/catalog/products')).headers['content-encoding'], undefined);
  });
});
