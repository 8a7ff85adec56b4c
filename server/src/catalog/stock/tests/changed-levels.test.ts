import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { FollowedStock, levelsPath } from './followed-stock.ts';
import { adjusted, newLocation, newSimple, newStockedParent } from './stock.ts';

const apps = await createTestApps();

/** Creates a brand with simple products that have a level each. */
async function newShop(skus: readonly string[]) {
  const brand = await apps.newBrand();
  await newLocation(brand.client, 'WH');
  const ids: Record<string, string> = {};
  for (const sku of skus) {
    const { tu_id } = await newSimple(brand.client, sku);
    await adjusted(brand.client, tu_id, { location: 'WH', quantity: 1 });
    ids[sku] = tu_id;
  }
  const set = (sku: string, quantity: number, location = 'WH') =>
    adjusted(brand.client, ids[sku] ?? '', { location, quantity });
  return { ...brand, ids, set };
}

// [catalog-120]
describe('the levels that changed after a token', () => {
  it('come once each, in their current state, in the order of their last changes', async () => {
    const { client, set } = await newShop(['A', 'B', 'C', 'D']);
    const { meta } = await ok(client.get(levelsPath));
    const stock = new FollowedStock(client, { token: meta.changed_token });
    assert.deepEqual(await stock.changes(), []);
    await set('B', 5);
    await set('A', 6);
    await set('C', 7);
    await set('B', 8);
    assert.deepEqual(await stock.changes(), ['A@WH=6', 'C@WH=7', 'B@WH=8']);
    assert.deepEqual(await stock.changes(), []);
    const earlier = new FollowedStock(client, { token: meta.changed_token });
    assert.deepEqual(await earlier.changes(), ['A@WH=6', 'C@WH=7', 'B@WH=8']);
  });

  it('include new levels, renamed ones, those written again with the same quantity, and deleted ones', async () => {
    const { client, set, ids } = await newShop(['A', 'B']);
    const { product, variants } = await newStockedParent(client, 'P', 2);
    for (const { tu_id: variant } of variants)
      await adjusted(client, product.tu_id, { variant, location: 'WH', quantity: 3 });
    const stock = new FollowedStock(client);
    await stock.catchUp();
    await ok(client.patch(`/catalog/products/${ids['A']}`, { sku: 'Z' }));
    await set('B', 1);
    await adjusted(client, ids['B'] ?? '', { quantity: 4 });
    await ok(client.patch(`/catalog/variants/${variants[0].tu_id}`, { sku: 'V' }));
    await ok(client.delete(`/catalog/variants/${variants[1].tu_id}`), 204);
    assert.deepEqual(await stock.changes(), ['Z@WH=1', 'B@WH=1', 'B@__default__=4', 'V@WH=3', 'P-2@WH gone']);
    await stock.assertEqualsList();
    await ok(client.patch('/catalog/stock/locations/WH', { is_active: false }));
    assert.deepEqual(await stock.changes(), []);
  });

  it('come in pages of any size, although one change may name more levels than a page has', async () => {
    const { client, brandId } = await apps.newBrand();
    const { product, variants } = await newStockedParent(client, 'P', 1);
    const variant = variants[0].tu_id;
    for (let number = 1; number <= 7; number += 1) {
      await newLocation(client, `L${number}`);
      await adjusted(client, product.tu_id, { variant, location: `L${number}`, quantity: number });
    }
    const one = new FollowedStock(client, { query: 'per_page=1' });
    assert.equal((await one.catchUp()).length, 7);
    await ok(client.patch(`/catalog/variants/${variant}`, { sku: 'V' }));
    const recorded = await apps.sql<{ levels: number }>(
      'select cardinality(level_ids) as levels from stock_changes where brand_id = $1 order by version desc limit 1',
      [brandId],
    );
    assert.deepEqual(recorded, [{ levels: 7 }]);
    const before = one.token;
    for (const size of [1, 2, 3, 6, 7, 8]) {
      const stock = new FollowedStock(client, { token: before, query: `per_page=${size}` });
      const pages: number[] = [];
      for (let hasMore = true; hasMore; ) {
        const page = await stock.page();
        pages.push(page.data.length);
        hasMore = page.hasMore;
      }
      const full = Math.floor(7 / size);
      assert.deepEqual(pages, [...Array(full).fill(size), ...(7 % size === 0 ? [] : [7 % size])]);
    }
  });

  it('are filtered by their current state', async () => {
    const { client, set, ids } = await newShop(['A', 'B']);
    await newLocation(client, 'OUTLET');
    await set('A', 2, 'OUTLET');
    const { meta } = await ok(client.get(levelsPath));
    await set('A', 3);
    await set('A', 4, 'OUTLET');
    await set('B', 5);
    await ok(client.patch(`/catalog/products/${ids['B']}`, { sku: 'C' }));
    const matching = (filter: string, token = meta.changed_token) =>
      new FollowedStock(client, { token, query: filter }).changes();
    assert.deepEqual(await matching('sku=A'), ['A@WH=3', 'A@OUTLET=4']);
    assert.deepEqual(await matching('sku=B'), []);
    assert.deepEqual(await matching('sku=C'), ['C@WH=5']);
    assert.deepEqual(await matching('location=WH'), ['A@WH=3', 'C@WH=5']);
    assert.deepEqual(await matching('location=OUTLET&sku=A'), ['A@OUTLET=4']);
    assert.deepEqual(await matching('updated_since=2099-01-01T00:00:00Z'), []);
    assert.deepEqual(await matching('location=OUTLET', 'start'), ['A@OUTLET=4']);
    assert.deepEqual(await matching('sku=A&per_page=1', 'start'), ['A@WH=3', 'A@OUTLET=4']);
    assert.deepEqual(await matching('updated_since=2020-01-01T00:00:00Z&sku=C', 'start'), ['C@WH=5']);
  });

  it('are missed by no page, even if a filter leaves all but the last of thousands out', async () => {
    const { client, brandId, set } = await newShop(['A', 'B']);
    const { meta } = await ok(client.get(levelsPath));
    await apps.sql(
      `with latest as (
         select version, changed_at, (select id from stock_levels where brand_id = $1 and sku = 'A') as level
         from brand_stocks where brand_id = $1
       ), more as (
         insert into stock_changes (brand_id, version, changed_at, level_ids)
         select $1, version + n, changed_at + n * interval '1 millisecond', array_fill(level, array[150])
         from latest, generate_series(1, 30) n
       )
       update brand_stocks set version = version + 30, changed_at = changed_at + interval '30 milliseconds'
       where brand_id = $1`,
      [brandId],
    );
    await set('A', 8);
    await set('B', 9);
    const filtered = new FollowedStock(client, { token: meta.changed_token, query: 'sku=B' });
    const pages = [];
    for (let hasMore = true; hasMore; ) {
      const page = await filtered.page();
      pages.push(page.data.map(({ quantity }) => quantity));
      hasMore = page.hasMore;
    }
    assert.deepEqual(pages, [[], [], [], [], [9]]);
    assert.deepEqual(await new FollowedStock(client, { token: meta.changed_token }).changes(), [
      'A@WH=8',
      'B@WH=9',
    ]);
  });
});

// [catalog-120]
describe('changed_after=start', () => {
  it('lists every level once and continues with what was renamed, added, deleted or written meanwhile', async () => {
    const { client, set, ids } = await newShop(['A', 'B', 'C', 'D']);
    const { product, variants } = await newStockedParent(client, 'P', 2);
    for (const { tu_id: variant } of variants)
      await adjusted(client, product.tu_id, { variant, location: 'WH', quantity: 3 });
    const stock = new FollowedStock(client, { query: 'per_page=2' });
    assert.deepEqual(
      (await stock.page()).data.map(({ sku }) => sku),
      ['A', 'B'],
    );
    await ok(client.patch(`/catalog/products/${ids['A']}`, { sku: 'Z' }));
    await ok(client.patch(`/catalog/products/${ids['D']}`, { sku: '0' }));
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    await adjusted(client, ids['A'] ?? '', { quantity: 2 });
    await set('C', 5);
    assert.deepEqual(await stock.changes(), [
      ...['C@WH=5', '0@WH=1', 'P-2@WH=3', 'Z@__default__=2'],
      ...['Z@WH=1', '0@WH=1', 'P-1@WH gone', 'Z@__default__=2', 'C@WH=5'],
    ]);
    await stock.assertEqualsList();
    assert.deepEqual(await stock.changes(), []);
  });

  it('is one empty page for a brand without stock, whose token sees the first level', async () => {
    const { client } = await apps.newBrand();
    const stock = new FollowedStock(client);
    const { data, hasMore } = await stock.page();
    assert.deepEqual([data, hasMore], [[], false]);
    await adjusted(client, (await newSimple(client, 'S')).tu_id, { quantity: 1 });
    assert.deepEqual(await stock.changes(), ['S@__default__=1']);
  });

  it('skips nothing behind more deleted levels than one request examines', async () => {
    const { client, brandId, ids } = await newShop(['A']);
    await apps.sql(
      `with made as (
         insert into stock_locations (brand_id, external_code, name)
         select $1, 'L' || n, 'x' from generate_series(1, 2500) n returning id, external_code
       )
       insert into stock_levels (brand_id, product_id, location_id, sku, location_code, quantity, source_updated_at,
         is_from_feed, is_hidden)
       select $1, p.id, made.id, p.sku, made.external_code, 0, now(), false, true
       from made, products p where p.brand_id = $1`,
      [brandId],
    );
    await adjusted(client, ids['A'] ?? '', { quantity: 9 });
    const stock = new FollowedStock(client);
    assert.deepEqual(await stock.changes(), ['A@WH=1', 'A@__default__=9']);
    const ofOne = new FollowedStock(client, { query: 'sku=A' });
    assert.deepEqual([(await ofOne.page()).data.length, await ofOne.changes()], [2, []]);
  });
});

describe('a request with changed_after', () => {
  it('says what it answers: the size, the rows of the answer, has_more and the token', async () => {
    const { client, set } = await newShop(['A', 'B', 'C']);
    const list = await ok(client.get(levelsPath));
    assert.equal(list.meta.has_more, undefined);
    assert.equal(list.data[0].is_deleted, undefined);
    await set('B', 2);
    const { data, meta } = await ok(client.get(`${levelsPath}?changed_after=start&per_page=500`));
    assert.equal(data.length, 3);
    const { changed_token: token, ...others } = meta;
    assert.deepEqual(others, { current_page: 1, per_page: 200, total: 3, last_page: 1, has_more: false });
    assert.match(token, /^[\w-]{40,200}$/);
  });

  // [platform-42]
  it('is refused with page, which other lists use', async () => {
    const { client } = await newShop(['A']);
    for (const page of [1, 2])
      assertRefused(await client.get(`${levelsPath}?changed_after=start&page=${page}`), 'validation_failed', [
        'page',
      ]);
  });

  it('has an entity tag: equal bodies in a state, and 304 until the next change', async () => {
    const { client, set } = await newShop(['A', 'B']);
    const { meta } = await ok(client.get(levelsPath));
    await set('B', 2);
    for (const token of ['start', meta.changed_token]) {
      const path = `${levelsPath}?changed_after=${token}`;
      const [first, second] = [await client.get(path), await client.get(path)];
      assert.equal(first.text, second.text);
      const held = { 'if-none-match': first.headers['etag'] as string };
      assert.equal((await client.get(path, held)).status, 304);
      await set('A', token === 'start' ? 3 : 4);
      assert.equal((await client.get(path, held)).status, 200);
    }
  });
});
