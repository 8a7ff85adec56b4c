import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { adjusted, newLocation, newSimple, newStockedParent, setAsFeed } from './stock.ts';

const apps = await createTestApps();
const path = '/catalog/stock/levels';

async function places(client: ApiClient, query = ''): Promise<string[]> {
  const { data } = await ok(client.get(path + query));
  return data.map((level: { sku: string; location: string }) => `${level.sku}@${level.location}`);
}

describe('the list of stock levels', () => {
  // [catalog-79]
  it('shows flat levels of products and variants by SKU, then location, byte by byte', async () => {
    const { client, brandId } = await apps.newBrand();
    for (const code of ['b', 'A', 'a']) await newLocation(client, code);
    for (const sku of ['z', 'B', 'ä', 'a']) {
      const { tu_id } = await newSimple(client, sku);
      for (const location of ['b', 'a', 'A']) await adjusted(client, tu_id, { location, quantity: 1 });
    }
    const { product, variants } = await newStockedParent(client, 'P', 1);
    const variant = variants[0].tu_id;
    const { level } = await adjusted(client, product.tu_id, { variant, location: 'A', quantity: 3 });
    await setAsFeed(apps, brandId, { sku: 'z', location: 'b', quantity: 4, reserved: 6 });
    assert.deepEqual(await places(client), [
      ...['B@A', 'B@a', 'B@b', 'P-1@A', 'a@A', 'a@a', 'a@b', 'z@A', 'z@a', 'z@b', 'ä@A', 'ä@a', 'ä@b'],
    ]);
    const { data, meta } = await ok(client.get(path));
    const { changed_token: _, ...pages } = meta;
    assert.deepEqual(pages, { current_page: 1, per_page: 50, total: 13, last_page: 1 });
    assert.deepEqual(data[3], level);
    assert.equal(level.variant_tu_id, variant);
    const { quantity, reserved, available, variant_tu_id } = data[9];
    assert.deepEqual([quantity, reserved, available, variant_tu_id], [4, 6, 0, null]);
  });

  // [catalog-80]
  it('filters by sku: the level’s own, exactly, so a parent’s SKU does not find its variants', async () => {
    const { client } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'P', 2);
    assert.deepEqual(await places(client, '?sku=P-1'), [], 'a variant without a level is not found');
    for (const { tu_id: variant } of variants)
      await adjusted(client, product.tu_id, { variant, quantity: 1 });
    const [level] = (await ok(client.get(`${path}?sku=P-1`))).data;
    assert.deepEqual([level.product_tu_id, level.variant_tu_id], [product.tu_id, variants[0].tu_id]);
    await adjusted(client, (await newSimple(client, 'p-1')).tu_id, { quantity: 1 });
    assert.deepEqual(await places(client, '?sku=P-1'), ['P-1@__default__']);
    assert.deepEqual(await places(client, '?sku=p-1'), ['p-1@__default__']);
    for (const sku of ['P', 'P-', 'p', '', '%25', 'x'.repeat(300)])
      assert.deepEqual(await places(client, `?sku=${sku}`), []);
  });

  // [catalog-80] [catalog-81]
  it('filters by location, and returns an empty result for an unknown one', async () => {
    const { client } = await apps.newBrand();
    const { tu_id } = await newSimple(client, 'S');
    for (const location of ['A', 'B']) {
      await newLocation(client, location);
      await adjusted(client, tu_id, { location, quantity: 1 });
    }
    await newLocation((await apps.newBrand()).client, 'THEIRS');
    assert.deepEqual(await places(client, '?location=B'), ['S@B']);
    for (const location of ['THEIRS', 'NONE', 'b', '', '%F0%9F%92%A5']) {
      const list = await ok(client.get(`${path}?location=${location}`));
      assert.deepEqual([list.data, list.meta.total, list.meta.last_page], [[], 0, 1]);
    }
    assert.deepEqual(await places(client, '?location=B&sku=S'), ['S@B']);
    assert.deepEqual(await places(client, '?location=B&sku=T'), []);
  });

  // [catalog-23]
  it('filters by updated_since on source_updated_at, inclusive, in any offset', async () => {
    const { client, brandId } = await apps.newBrand();
    await newLocation(client, 'WH');
    for (const [sku, updatedAt] of [
      ['A', '2026-03-01T08:00:00.000Z'],
      ['B', '2026-03-01T08:00:00.001Z'],
      ['C', '2026-03-02T00:00:00.000Z'],
    ] as const) {
      await newSimple(client, sku);
      await setAsFeed(apps, brandId, { sku, location: 'WH', quantity: 1, updatedAt });
    }
    const since = (text: string) => places(client, `?updated_since=${text}`);
    assert.deepEqual(await since('2026-03-01T08:00:00Z'), ['A@WH', 'B@WH', 'C@WH']);
    assert.deepEqual(await since('2026-03-01T08:00:00.001Z'), ['B@WH', 'C@WH']);
    assert.deepEqual(await since('2026-03-02T01:00:00+01:00'), ['C@WH']);
    assert.deepEqual(await since('2026-03-02T01:00:00%2B01:00'), ['C@WH']);
    assert.deepEqual(await since('2026-03-02T00:00:00.001Z'), []);
    assert.deepEqual(await places(client, '?updated_since=2026-03-01T08:00:00.001Z&sku=B&location=WH'), [
      'B@WH',
    ]);
    const page = await ok(client.get(`${path}?updated_since=2026-03-01T08:00:00Z&per_page=2&page=2`));
    assert.deepEqual([page.data.length, page.data[0].sku, page.meta.total], [1, 'C', 3]);
  });

  it('refuses a filter of a wrong type', async () => {
    const { client } = await apps.newBrand();
    const wrong = { updated_since: 'yesterday', page: '0', per_page: '1.5', sku: '%00', location: '%00' };
    for (const [field, value] of Object.entries(wrong))
      assertRefused(await client.get(`${path}?${field}=${value}`), 'validation_failed', [field]);
    for (const since of ['2026-03-01', '2026-02-30T00:00:00Z', '2026-03-01T08:00:00', ''])
      assertRefused(await client.get(`${path}?updated_since=${since}`), 'validation_failed', [
        'updated_since',
      ]);
  });

  it('pages through without skipping or repeating, even at large offsets', async () => {
    const { client, brandId } = await apps.newBrand();
    const { tu_id, sku } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 1 });
    await apps.sql(
      `with made as (
         insert into stock_locations (brand_id, external_code, name)
         select $1, 'L' || n, 'x' from generate_series(1, 2500) n returning id, external_code
       )
       insert into stock_levels (brand_id, product_id, location_id, sku, location_code, quantity, source_updated_at,
         is_from_feed)
       select $1, p.id, made.id, p.sku, made.external_code, 0, now(), false
       from made, products p where p.brand_id = $1`,
      [brandId],
    );
    const seen = new Set<string>();
    for (let page = 1; page <= 13; page += 1)
      for (const place of await places(client, `?per_page=200&page=${page}`)) seen.add(place);
    assert.equal(seen.size, 2501);
    const last = await ok(client.get(`${path}?per_page=200&page=13`));
    assert.deepEqual([last.data.length, last.meta.total, last.meta.last_page], [101, 2501, 13]);
    assert.equal((await ok(client.get(`${path}?per_page=201`))).meta.per_page, 200);
    assert.deepEqual(await places(client, '?page=9007199254740991&per_page=200'), []);
    assert.deepEqual(await places(client, '?page=99999999999999999999'), []);
    assert.equal(
      await places(client, `?sku=${sku}&per_page=1&page=2501`).then(([place]) => place),
      `${sku}@__default__`,
    );
  });

  // [catalog-78]
  it('follows a rename, and excludes deleted variants', async () => {
    const { client } = await apps.newBrand();
    const simple = await newSimple(client, 'S');
    await adjusted(client, simple.tu_id, { quantity: 1 });
    const { product, variants } = await newStockedParent(client, 'P', 2);
    for (const { tu_id: variant } of variants)
      await adjusted(client, product.tu_id, { variant, quantity: 1 });
    await ok(client.patch(`/catalog/products/${simple.tu_id}`, { sku: 'A' }));
    await ok(client.patch(`/catalog/products/${product.tu_id}`, { sku: 'Q' }));
    await ok(client.patch(`/catalog/variants/${variants[0].tu_id}`, { sku: 'Z' }));
    await ok(client.delete(`/catalog/variants/${variants[1].tu_id}`), 204);
    assert.deepEqual(await places(client), ['A@__default__', 'Z@__default__']);
    assert.deepEqual(await places(client, '?sku=S'), []);
    assert.deepEqual(await places(client, '?sku=P-2'), []);
    assert.deepEqual(await places(client, '?updated_since=2020-01-01T00:00:00Z'), [
      'A@__default__',
      'Z@__default__',
    ]);
    assert.equal((await ok(client.get(path))).meta.total, 2);
    assert.equal((await ok(client.get(`${path}?location=__default__`))).meta.total, 2);
  });

  it('shows a brand nothing of another one', async () => {
    const { client } = await apps.newBrand();
    await adjusted(client, (await newSimple(client, 'S')).tu_id, { quantity: 1 });
    const other = await apps.newBrand();
    assert.deepEqual(await places(other.client), []);
    assert.deepEqual(await places(other.client, '?sku=S'), []);
    assert.deepEqual(await places(other.client, '?location=__default__'), []);
  });
});
