import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAdministrator } from '../../../access/administrators/tests/new-administrator.ts';
import { getBrand } from '../../../brands/brand-operations.ts';
import { ok } from '../../tests/new-axes.ts';
import { countStatuses } from '../get-stock-health.ts';
import { adjusted, newLocation, newSimple, newStockedParent, setAsFeed } from './stock.ts';

const apps = await createTestApps();
const { admin, clock } = apps;
const hourMs = 3_600_000;
const healthOf = (brandId: number, client = admin) => ok(client.get(`/brands/${brandId}/stock-health`));

/** Creates a brand with levels of a location, as a feed writes them, each of its own product. */
async function newBrandWith(
  settings: object,
  levels: readonly (readonly [quantity: number, reserved: number, updatedAt: number])[],
) {
  const brand = await apps.newBrand({ settings });
  await newLocation(brand.client, 'WH');
  for (const [quantity, reserved, updatedAt] of levels) {
    const { sku } = await newSimple(brand.client);
    const figure = { sku, location: 'WH', quantity, reserved, updatedAt: new Date(updatedAt).toISOString() };
    await setAsFeed(apps, brand.brandId, figure);
  }
  return brand;
}

// [internal-196] [D253]
describe('the stock health of a brand', () => {
  it('counts levels by status, as the status of their product is', async () => {
    const now = clock.now();
    const old = now - 25 * hourMs;
    const { brandId, client } = await newBrandWith({ low_stock_threshold: 5, stale_after_hours: 24 }, [
      ...([
        [6, 0, now],
        [7, 1, now],
        [900, 0, now],
      ] as const), // in stock
      ...([
        [5, 0, now],
        [2_147_483_647, 2_147_483_642, now],
      ] as const), // low
      ...([
        [0, 0, now],
        [5, 5, now],
        [1, 2_147_483_647, now],
        [0, 9, now],
      ] as const), // out
      ...([
        [0, 0, old],
        [3, 0, old],
        [900, 0, old],
        [5, 900, old],
        [6, 0, old],
      ] as const), // stale
    ]);
    const { as_of, ...counts } = await healthOf(brandId);
    const expected = { levels: 14, out_of_stock: 4, low_stock: 2, stale: 5 };
    assert.deepEqual(counts, { ...expected, by_location: [{ location_code: 'WH', ...expected }] });
    assert.ok(Math.abs(Date.parse(as_of) - clock.now()) < 10_000);
    const { data } = await ok(client.get('/catalog/products?per_page=200'));
    const statuses = data.map(
      ({ availability }: { availability: { status: string } }) => availability.status,
    );
    for (const status of ['out_of_stock', 'low_stock', 'stale'] as const)
      assert.equal(statuses.filter((shown: string) => shown === status).length, expected[status], status);
  });

  it('is stale after the last millisecond of the hours, and never without the setting', async () => {
    const at = Date.parse('2026-03-01T08:00:00.000Z');
    const { brandId } = await newBrandWith({ stale_after_hours: 1 }, [[9, 0, at]]);
    const brand = await getBrand(apps.context.database, brandId);
    const staleAt = async (now: number, staleAfterHours: number | null = 1) => {
      const settings = { ...brand.settings, staleAfterHours };
      const { byLocation } = await countStatuses(apps.context.database, { ...brand, settings }, now);
      return byLocation[0]?.stale;
    };
    assert.equal(await staleAt(at + hourMs), 0);
    assert.equal(await staleAt(at + hourMs + 1), 1);
    assert.equal(await staleAt(at + 1_000 * hourMs, null), 0);
    assert.equal(await staleAt(at + 1_000 * hourMs, 2_147_483_647), 0);
  });

  it('never counts a level as stale that was adjusted by hand', async () => {
    const { brandId, client } = await newBrandWith({ stale_after_hours: 1 }, [
      [9, 0, clock.now() - 2 * hourMs],
    ]);
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { location: 'WH', quantity: 9 });
    const { levels, stale } = await countStatuses(
      apps.context.database,
      await getBrand(apps.context.database, brandId),
      clock.now() + 1_000 * hourMs,
    ).then(({ byLocation }) => byLocation[0] ?? { levels: 0, stale: 0 });
    assert.deepEqual([levels, stale], [2, 1]);
  });

  it('lists active locations by code, without levels of deleted variants', async () => {
    const { brandId, client } = await apps.newBrand();
    for (const code of ['b', 'A', 'closed', 'empty']) await newLocation(client, code);
    const simple = await newSimple(client);
    for (const location of ['b', 'A', 'closed'])
      await adjusted(client, simple.tu_id, { location, quantity: 1 });
    const { product, variants } = await newStockedParent(client, 'P', 2);
    for (const { tu_id: variant } of variants)
      await adjusted(client, product.tu_id, { variant, location: 'b', quantity: 9 });
    await ok(client.patch('/catalog/stock/locations/closed', { is_active: false }));
    await ok(client.delete(`/catalog/variants/${variants[0].tu_id}`), 204);
    const { as_of: _, ...counts } = await healthOf(brandId);
    const low = { out_of_stock: 0, low_stock: 1, stale: 0 };
    assert.deepEqual(counts, {
      levels: 3,
      out_of_stock: 0,
      low_stock: 2,
      stale: 0,
      by_location: [
        { location_code: 'A', levels: 1, ...low },
        { location_code: 'b', levels: 2, ...low },
      ],
    });
  });

  it('is empty for a brand without levels', async () => {
    const { json: brand } = await admin.post('/brands', { name: 'Empty' });
    const { as_of: _, ...counts } = await healthOf(brand.id);
    assert.deepEqual(counts, { levels: 0, out_of_stock: 0, low_stock: 0, stale: 0, by_location: [] });
  });

  it('is shared by reads within half a minute, unless the settings of the brand change', async () => {
    const { brandId, client } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    await adjusted(client, tu_id, { quantity: 6 });
    const [first, same] = await Promise.all([healthOf(brandId), healthOf(brandId)]);
    assert.deepEqual([first.low_stock, same.as_of], [0, first.as_of]);
    await adjusted(client, tu_id, { quantity: 5 });
    clock.advance(25_000);
    assert.deepEqual(await healthOf(brandId), first);
    clock.advance(5_000);
    const later = await healthOf(brandId);
    assert.equal(later.low_stock, 1);
    assert.ok(Date.parse(later.as_of) >= Date.parse(first.as_of) + 30_000);
    await ok(admin.patch(`/brands/${brandId}`, { settings: { low_stock_threshold: 4 } }));
    assert.equal((await healthOf(brandId)).low_stock, 0);
  });

  it('does not remember a failure', async () => {
    const { brandId } = await apps.newBrand();
    await apps.sql('alter table stock_levels rename to levels_away');
    assert.equal((await admin.get(`/brands/${brandId}/stock-health`)).status, 500);
    await apps.sql('alter table levels_away rename to stock_levels');
    assert.equal((await healthOf(brandId)).levels, 0);
  });

  it('is that of the brand alone, for all who may read it', async () => {
    const [one, two] = [await newBrandWith({}, [[0, 0, clock.now()]]), await newBrandWith({}, [])];
    const support = await newAdministrator(apps, 'support', [one.brandId]);
    const operator = await newAdministrator(apps, 'operator', [two.brandId]);
    assert.equal((await healthOf(one.brandId, support.client)).out_of_stock, 1);
    assert.equal((await healthOf(two.brandId, operator.client)).levels, 0);
    assertRefused(await support.client.get(`/brands/${two.brandId}/stock-health`), 'not_found');
    assertRefused(await operator.client.get(`/brands/${one.brandId}/stock-health`), 'not_found');
    for (const id of ['0', '999999', 'x'])
      assertRefused(await admin.get(`/brands/${id}/stock-health`), 'not_found');
  });
});
