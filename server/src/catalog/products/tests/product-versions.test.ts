// processes: every write of a product, and what it does to each tag
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps, type TestBrand } from '../../../../test/support/test-apps.ts';
import { applyFeed } from '../../feeds/tests/feeds.ts';
import { lockStock, recordStockChange } from '../../stock/brand-stock-store.ts';
import { refreshProductStock } from '../../stock/product-stock-store.ts';
import { adjust, adjusted, newLocation, newSimple, newStockedParent } from '../../stock/tests/stock.ts';
import { newAxes, newParent, newVariant, ok, selecting } from '../../tests/new-axes.ts';
import { HeldAnswers } from './held-answers.ts';

const apps = await createTestApps({ runsJobs: true });
const axes = { color: ['red', 'blue'], size: ['s', 'm'] };

interface Shop extends TestBrand {
  readonly parent: string;
  /** Active, color red and size s, with a level at WH. */
  readonly variant: string;
  readonly simple: string;
  readonly detail: HeldAnswers;
  readonly simpleDetail: HeldAnswers;
  readonly list: HeldAnswers;
}

async function newShop(): Promise<Shop> {
  const brand = await apps.newBrand();
  const { client } = brand;
  await newLocation(client, 'WH');
  await newAxes(client, axes);
  const { tu_id: parent } = await newParent(client, axes, { sku: 'P' });
  const red = { color: 'red', size: 's' };
  const { tu_id: variant } = await newVariant(client, parent, {
    sku: 'P-1',
    axis_values: red,
    is_active: true,
  });
  const { tu_id: simple } = await newSimple(client, 'S');
  await adjusted(client, parent, { variant, location: 'WH', quantity: 20 });
  await adjusted(client, simple, { location: 'WH', quantity: 20 });
  const detail = await HeldAnswers.of(client, [`/catalog/products/${parent}`]);
  const simpleDetail = await HeldAnswers.of(client, [`/catalog/products/${simple}`]);
  const list = await HeldAnswers.of(client, ['/catalog/products', '/catalog/products?sku=P&is_active=false']);
  return { ...brand, parent, variant, simple, detail, simpleDetail, list };
}

const onProduct = {
  'a change of a field': ({ client, parent }) =>
    ok(client.patch(`/catalog/products/${parent}`, { title: 'New' })),
  'a new SKU': ({ client, parent }) => ok(client.patch(`/catalog/products/${parent}`, { sku: 'PP' })),
  'a price, which its variants inherit': ({ client, parent }) =>
    ok(client.patch(`/catalog/products/${parent}`, { price_value: 7 })),
  'a new variant': ({ client, parent }) =>
    newVariant(client, parent, { sku: 'P-2', axis_values: { color: 'blue', size: 's' }, is_active: true }),
  'a generation': ({ client, parent }) =>
    ok(client.create(`/catalog/products/${parent}/variants/generate`, { activate: true }), 201),
  'a price of a variant': ({ client, variant }) =>
    ok(client.patch(`/catalog/variants/${variant}`, { price: { value: 3 } })),
  'a variant that is switched off': ({ client, variant }) =>
    ok(client.patch(`/catalog/variants/${variant}`, { is_active: false })),
  'a variant that is deleted': ({ client, variant }) =>
    ok(client.delete(`/catalog/variants/${variant}`), 204),
  'an adjustment': ({ client, parent, variant }) =>
    adjusted(client, parent, { variant, location: 'WH', quantity: 2 }),
  'a feed': ({ client }) => applyFeed(client, [{ sku: 'P-1', location_code: 'WH', quantity: 3 }]),
  'a feed of what is reserved': ({ client }) =>
    applyFeed(client, [{ sku: 'P-1', location_code: 'WH', quantity: 20, reserved: 19 }]),
  'a location that is switched off': ({ client }) =>
    ok(client.patch('/catalog/stock/locations/WH', { is_active: false })),
  'another threshold of the brand': ({ brandId }) =>
    ok(apps.admin.patch(`/brands/${brandId}`, { settings: { low_stock_threshold: 50 } })),
} satisfies Record<string, (shop: Shop) => Promise<unknown>>;

const onDetailAlone = {
  'the selection': ({ client, parent }) =>
    ok(client.put(`/catalog/products/${parent}/axes`, selecting({ size: ['s'], color: ['red'] }))),
  'the label of an axis': ({ client }) => ok(client.patch('/catalog/axes/color', { label: 'Colour' })),
  'the label of a value': ({ client }) =>
    ok(client.patch('/catalog/axes/color/values/red', { label: 'Rouge' })),
  'the barcode of a variant': ({ client, variant }) =>
    ok(client.patch(`/catalog/variants/${variant}`, { barcode: '4006381333931' })),
  'the stock of a variant that is not for sale': async ({ client, parent }) => {
    const { tu_id } = await newVariant(client, parent, {
      sku: 'P-9',
      axis_values: { color: 'blue', size: 'm' },
    });
    return adjusted(client, parent, { variant: tu_id, quantity: 1 });
  },
} satisfies Record<string, (shop: Shop) => Promise<unknown>>;

describe('the tag of a product', () => {
  for (const [what, change] of Object.entries({ ...onProduct, ...onDetailAlone }))
    it(`changes with ${what}`, async () => {
      const shop = await newShop();
      await change(shop);
      await shop.detail.assertMoved(what);
      await shop.detail.assertStayed(`after ${what}`);
    });

  it('changes when a location is switched back and forth, and never repeats', async () => {
    const shop = await newShop();
    const path = `/catalog/products/${shop.parent}`;
    const tags = new Set<string>();
    for (const is_active of [false, true, false, true]) {
      await ok(shop.client.patch('/catalog/stock/locations/WH', { is_active }));
      tags.add((await shop.client.get(path)).headers['etag'] ?? '');
    }
    assert.equal(tags.size, 4);
  });

  it('stays the same when another product of the brand, or its stock, changes', async () => {
    const shop = await newShop();
    const { client, simple, simpleDetail } = shop;
    await adjusted(client, simple, { location: 'WH', quantity: 1 });
    await applyFeed(client, [{ sku: 'S', location_code: 'WH', quantity: 9 }]);
    await ok(client.patch(`/catalog/products/${simple}`, { title: 'Other' }));
    await newSimple(client);
    await shop.detail.assertStayed('another product');
    await simpleDetail.assertMoved('the other product');
    await adjusted(client, shop.parent, { variant: shop.variant, location: 'WH', quantity: 4 });
    await simpleDetail.assertStayed('the first product');
  });

  it('stays the same when the current values are written again', async () => {
    const shop = await newShop();
    const { client, parent, variant } = shop;
    await ok(client.patch(`/catalog/products/${parent}`, { sku: 'P' }));
    await ok(client.patch(`/catalog/variants/${variant}`, { is_active: true }));
    await ok(client.patch('/catalog/axes/color', { label: null }));
    await ok(client.patch('/catalog/axes/color/values/red', { label: null }));
    await ok(client.put(`/catalog/products/${parent}/axes`, selecting(axes)));
    await ok(client.patch('/catalog/stock/locations/WH', { is_active: true }));
    await shop.detail.assertStayed('writes that change nothing');
  });
});

describe('the tag of a product whose sums stay the same', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const line = (sku: string, quantity: number, updated_at: string) => {
    return { sku, location_code: 'WH', quantity, updated_at };
  };

  async function newPair() {
    const { client } = await apps.newBrand({ settings: { stale_after_hours: 1 } });
    await newLocation(client, 'WH');
    const { product } = await newStockedParent(client, 'PAIR', 2);
    await applyFeed(client, [line('PAIR-1', 20, minutesAgo(5)), line('PAIR-2', 20, minutesAgo(90))]);
    return { client, detail: await HeldAnswers.of(client, [`/catalog/products/${product.tu_id}`]) };
  }

  it('changes with a feed that moves stock from one variant to another', async () => {
    const { client, detail } = await newPair();
    await applyFeed(client, [line('PAIR-1', 19, minutesAgo(4)), line('PAIR-2', 21, minutesAgo(80))]);
    await detail.assertMoved('a feed');
  });

  it('changes with a feed that only refreshes a variant’s stale level, while another is fresher', async () => {
    const { client, detail } = await newPair();
    assert.deepEqual(await applyFeed(client, [line('PAIR-2', 20, minutesAgo(20))]), ['unchanged']);
    await detail.assertMoved('a feed');
  });
});

describe('the tag of a product list', () => {
  for (const [what, change] of Object.entries(onProduct))
    it(`changes with ${what}`, async () => {
      const shop = await newShop();
      // A renamed product leaves the list that filters by its SKU, which changes the tag of that list too.
      await change(shop);
      await shop.list.assertMoved(what);
      await shop.list.assertStayed(`after ${what}`);
    });

  it('changes with a new product, even for a list that was empty', async () => {
    const { client } = await apps.newBrand();
    const lists = await HeldAnswers.of(client, ['/catalog/products', '/catalog/products?page=1&sku=FIRST']);
    await newSimple(client, 'FIRST');
    await lists.assertMoved('the first product');
    const pages = await HeldAnswers.of(client, ['/catalog/products?page=7', '/catalog/products?per_page=1']);
    await newSimple(client, 'SECOND');
    await pages.assertMoved('the second product');
  });

  it('changes with every one of many concurrent adjustments, on any number of connections', async () => {
    const { client, brandId } = await apps.newBrand();
    const products = await Promise.all(Array.from({ length: 8 }, () => newSimple(client)));
    const before = await stockVersion(brandId);
    const adjustments = products.flatMap(({ tu_id }) =>
      [1, 2, 3, 4].map((quantity) => adjusted(client, tu_id, { quantity })),
    );
    await Promise.all(adjustments);
    const after = await stockVersion(brandId);
    assert.ok(after > before && after <= before + 32);
  });
});

async function stockVersion(brandId: number): Promise<number> {
  const [row] = await apps.sql<{ sum: string }>(
    'select version as sum from brand_stocks where brand_id = $1',
    [brandId],
  );
  return Number(row?.sum);
}

describe('the tags of a brand', () => {
  it('are independent of other brands', async () => {
    const shop = await newShop();
    for (const change of Object.values({ ...onProduct, ...onDetailAlone })) await change(await newShop());
    for (const held of [shop.detail, shop.simpleDetail, shop.list]) await held.assertStayed('another brand');
  });

  it('stay the same when a write is refused or rolled back', async () => {
    const shop = await newShop();
    const { client, brandId, parent, variant, simple } = shop;
    const refused = [
      await adjust(client, simple, { location: 'WH', quantity: 1, expected_quantity: 2 }),
      await client.patch(`/catalog/products/${parent}`, { title: 'New', sku: 'S' }),
      await client.create('/catalog/products', { sku: 'S' }),
      await client.patch(`/catalog/variants/${variant}`, { is_active: false, sku: 'S' }),
      await client.delete('/catalog/axes/color'),
      await client.delete('/catalog/axes/color/values/red'),
      await client.post('/catalog/axes', { code: 'color' }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [409, 409, 409, 409, 409, 409, 409],
    );
    const [{ id } = { id: 0 }] = await apps.sql<{ id: number }>(
      'select id::integer from products where brand_id = $1 and tu_id = $2',
      [brandId, simple],
    );
    const thrown = apps.database.transaction(async (tx) => {
      const stock = await lockStock(tx, brandId);
      refreshProductStock(stock, [id]);
      recordStockChange(stock, []);
      throw new Error('rolled back');
    });
    await assert.rejects(thrown, /rolled back/);
    for (const held of [shop.detail, shop.simpleDetail, shop.list])
      await held.assertStayed('a refused write');
  });
});
