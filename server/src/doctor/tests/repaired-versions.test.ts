import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { HeldAnswers } from '../../catalog/products/tests/held-answers.ts';
import { adjusted, newLocation, newStockedParent } from '../../catalog/stock/tests/stock.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { runDoctor } from '../run-doctor.ts';

// Without kept bodies: the damage has the version of the data that it replaces, and the clients here have read the damage.
const apps = await createTestApps({ responseCache: 0 });
const { client, brandId } = await apps.newBrand();
await newLocation(client, 'WH');
const { product, variants } = await newStockedParent(client, 'P', 2);
for (const { tu_id: variant } of variants)
  await adjusted(client, product.tu_id, { variant, location: 'WH', quantity: 9 });
const detail = `/catalog/products/${product.tu_id}`;

/** Damage by the value that pollers see; `$1` is the brand. */
const spoilings = {
  'a stock rollup': [
    `update product_stock set total_quantity = 1 where brand_id = $1`,
    detail,
    '/catalog/products',
  ],
  'a stock rollup that was lost': ['delete from product_stock where brand_id = $1', '/catalog/products'],
  'a level that was hidden': [
    `update stock_levels set is_hidden = true where brand_id = $1 and sku = 'P-1'`,
    detail,
  ],
  'a variant rollup': [
    'update products set own_price_min = 3, own_price_max = 3 where brand_id = $1',
    '/catalog/products',
    detail,
  ],
  'the counters': ['update brand_catalogs set products_total = 7 where brand_id = $1', '/catalog/products'],
} as const;

describe('a repair by the doctor', () => {
  for (const [what, [spoil, ...paths]] of Object.entries(spoilings))
    it(`is visible to clients with a tag of the wrong state: ${what}`, async () => {
      await apps.sql(spoil, [brandId]);
      const held = await HeldAnswers.of(client, paths);
      const { left } = await runDoctor(apps.database, { repair: true, report: () => {} });
      assert.equal(left, 0);
      await held.assertMoved(what);
    });

  it('of lost counters does not reuse a previous tag of labels', async () => {
    const tags = new Set<string>();
    const note = async () => tags.add((await client.get(detail)).headers['etag'] ?? '');
    const label = (text: string) => ok(client.patch('/catalog/axes/axis-P', { label: text }));
    for (const text of ['one', 'two', 'three']) {
      await label(text);
      await note();
    }
    await apps.sql('delete from brand_catalogs where brand_id = $1', [brandId]);
    await runDoctor(apps.database, { repair: true, report: () => {} });
    for (const text of ['four', 'five', 'six']) {
      await label(text);
      await note();
    }
    assert.equal(tags.size, 6);
  });
});
