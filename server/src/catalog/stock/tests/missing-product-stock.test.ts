import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { applyFeed, assertFeedsTrue } from '../../feeds/tests/feeds.ts';
import { ok } from '../../tests/new-axes.ts';
import { adjust, adjusted, newLocation, newStockedParent, stockOf } from './stock.ts';

const apps = await createTestApps({ runsJobs: true, poolSize: 20 });
const { client, brandId } = await apps.newBrand();
await newLocation(client, 'L');
await newLocation(client, 'M');
const { product, variants } = await newStockedParent(client, 'P', 4);
const place = (index: number, location = 'L') => ({ variant: variants[index].tu_id, location });
for (const index of variants.keys()) await adjusted(client, product.tu_id, { ...place(index), quantity: 10 });

beforeEach(() => apps.sql('delete from product_stock'));

it('an adjustment creates a missing rollup, with the quantities of other levels', async () => {
  await adjusted(client, product.tu_id, { ...place(0), quantity: 3 });
  await assertFeedsTrue(apps);
  assert.equal((await stockOf(client, product.tu_id)).availability.quantity, 33);
});

it('a refused adjustment leaves nothing', async () => {
  const refused = await adjust(client, product.tu_id, { ...place(0), quantity: 5, expected_quantity: 1_000 });
  assert.equal(refused.status, 409);
  assert.deepEqual(await apps.sql('select product_id from product_stock'), []);
  await adjusted(client, product.tu_id, { variant: variants[0].tu_id, quantity: 5 });
  await assertFeedsTrue(apps);
});

it('changes of a variant and of a location create it', async () => {
  await ok(client.patch(`/catalog/variants/${variants[1].tu_id}`, { is_active: false }));
  await assertFeedsTrue(apps);
  await apps.sql('delete from product_stock');
  await ok(client.patch('/catalog/stock/locations/L', { is_active: false }));
  await assertFeedsTrue(apps);
  await ok(client.patch('/catalog/stock/locations/L', { is_active: true }));
});

it('concurrent writes create one rollup, and no change is missed', async () => {
  const levels = variants.flatMap((_: unknown, index: number) => [place(index), place(index, 'M')]);
  for (let round = 0; round < 5; round += 1) {
    await apps.sql('delete from product_stock');
    const writes = levels.flatMap((level: object, index: number) => [
      adjusted(client, product.tu_id, { ...level, quantity: round * 100 + index }),
      adjusted(client, product.tu_id, { ...level, quantity: round * 200 + index }),
    ]);
    const feed = applyFeed(client, [{ sku: variants[0].sku, location_code: 'M', quantity: round + 7 }]);
    await Promise.all([...writes, feed]);
    await assertFeedsTrue(apps);
    const rows = await apps.sql('select 1 from product_stock where brand_id = $1', [brandId]);
    assert.equal(rows.length, 1);
  }
});
