import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newLocation, newSimple, newStockedParent, setAsFeed } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { HeldAnswers } from './held-answers.ts';

const apps = await createTestApps();
const minute = 60_000;
const list = '/catalog/products';

/** Returns the time at which a feed wrote a level: so many minutes before the current time of the server. */
const ago = (minutes: number) => apps.clock.now() - minutes * minute;

async function newShop() {
  const brand = await apps.newBrand({ settings: { stale_after_hours: 1 } });
  await newLocation(brand.client, 'WH');
  const feed = (sku: string, at: number) =>
    setAsFeed(apps, brand.brandId, {
      sku,
      location: 'WH',
      quantity: 9,
      updatedAt: new Date(at).toISOString(),
    });
  return { ...brand, feed };
}

/** Moves the clock to just after the instant `at`; not exactly, because the system clock keeps running. */
const moveTo = (instant: number) => apps.clock.advance(instant - apps.clock.now());
const instantOf = (etag: string | undefined) =>
  Number.parseInt(/\.([0-9a-z]+)"$/.exec(etag ?? '')?.[1] ?? '', 36);

describe('as stock becomes stale', () => {
  it('a tag carries the last instant before a status changes, and is valid until exactly then', async () => {
    const { client, feed } = await newShop();
    const { tu_id, sku } = await newSimple(client);
    const at = ago(30);
    await feed(sku, at);
    const path = `/catalog/products/${tu_id}`;
    const etags = await Promise.all([path, list].map(async (p) => (await client.get(p)).headers['etag']));
    assert.deepEqual(etags.map(instantOf), [at + 60 * minute, at + 60 * minute]);
    const held = await HeldAnswers.of(client, [path, list]);
    moveTo(at + 59 * minute);
    await held.assertStayed('a minute before');
    moveTo(at + 60 * minute + 1);
    await held.assertMoved('the end of the hour');
    assert.equal((await ok(client.get(path))).availability.status, 'stale');
    for (const p of [path, list]) assert.match((await client.get(p)).headers['etag'] ?? '', /^"[\w-]{22}"$/);
    apps.clock.advance(100 * 60 * minute);
    await held.assertStayed('what is stale already');
  });

  it('a list changes with the first of its products, then with the next', async () => {
    const { client, feed } = await newShop();
    const skus: string[] = [];
    for (let i = 0; i < 3; i += 1) skus.push((await newSimple(client)).sku);
    const first = ago(50);
    const second = ago(20);
    await feed(skus[0] ?? '', first);
    await feed(skus[1] ?? '', second);
    const held = await HeldAnswers.of(client, [list]);
    const other = await HeldAnswers.of(client, [`${list}?sku=${skus[1]}`]);
    moveTo(first + 60 * minute + 1);
    await held.assertMoved('the first');
    await other.assertStayed('another page');
    moveTo(second + 60 * minute + 1);
    await held.assertMoved('the second');
    await other.assertMoved('its own product');
  });

  it('a product changes with each of its variants, inactive ones included', async () => {
    const { client, feed } = await newShop();
    const { product, variants } = await newStockedParent(client, `STALE-${ago(0)}`, 2);
    await ok(client.patch(`/catalog/variants/${variants[1].tu_id}`, { is_active: false }));
    const [first, second] = [ago(50), ago(20)];
    await feed(variants[1].sku, first);
    await feed(variants[0].sku, second);
    const held = await HeldAnswers.of(client, [`/catalog/products/${product.tu_id}`]);
    moveTo(first + 60 * minute + 1);
    await held.assertMoved('the variant that is not for sale');
    moveTo(second + 60 * minute + 1);
    await held.assertMoved('the other one, and with it the product');
  });

  it('a feed that repeats its quantities extends the validity of the tag', async () => {
    const { client, feed } = await newShop();
    const { tu_id, sku } = await newSimple(client);
    const path = `/catalog/products/${tu_id}`;
    await feed(sku, ago(50));
    const { headers } = await client.get(path);
    await feed(sku, ago(10));
    const again = await client.get(path, { 'if-none-match': headers['etag'] ?? '' });
    assert.equal(again.status, 200);
    assert.ok(instantOf(again.headers['etag']) > instantOf(headers['etag']));
  });

  it('the brand’s settings decide: another number of hours gives another tag, and none gives no instant', async () => {
    const { client, brandId, feed } = await newShop();
    const { tu_id, sku } = await newSimple(client);
    const path = `/catalog/products/${tu_id}`;
    const at = ago(90);
    await feed(sku, at);
    const tags: (string | undefined)[] = [];
    for (const stale_after_hours of [1, 2, 3, null]) {
      await ok(apps.admin.patch(`/brands/${brandId}`, { settings: { stale_after_hours } }));
      tags.push((await client.get(path)).headers['etag']);
    }
    assert.deepEqual(tags.map(instantOf), [NaN, at + 120 * minute, at + 180 * minute, NaN]);
    assert.equal(new Set(tags).size, 4);
  });

  it('a level that was set by hand never becomes stale', async () => {
    const { client } = await newShop();
    const { tu_id } = await newSimple(client);
    await ok(client.create(`/catalog/products/${tu_id}/stock/adjust`, { quantity: 5 }));
    const held = await HeldAnswers.of(client, [`/catalog/products/${tu_id}`, list]);
    apps.clock.advance(1_000 * 60 * minute);
    await held.assertStayed('a level set by hand');
  });
});
