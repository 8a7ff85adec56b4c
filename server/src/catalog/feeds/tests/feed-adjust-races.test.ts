// processes, alone: feeds and adjustments of the same levels at once
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { adjust, newLocation, newSimple, newStockedParent } from '../../stock/tests/stock.ts';
import { ok } from '../../tests/new-axes.ts';
import { assertFeedsTrue, levelsOf, reportOf, sendFeed } from './feeds.ts';

const apps = await createTestApps({ runsJobs: true, poolSize: 20 });

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

it('concurrent feeds and adjustments of the same levels never fail, and no quantity is lost or counted twice', async () => {
  const { client, brandId } = await apps.newBrand();
  await Promise.all(['L', 'M'].map((code) => newLocation(client, code)));
  const simple = await Promise.all(times(10, (index) => newSimple(client, `S${index}`)));
  const { product, variants } = await newStockedParent(client, 'P', 10);
  const skus = [...simple, ...variants].map(({ sku }) => sku);
  const lines = (quantity: number) =>
    skus.flatMap((sku) => ['L', 'M'].map((location_code) => ({ sku, location_code, quantity })));

  const feeds = Promise.all(times(30, async (index) => (await sendFeed(client, lines(index))).json.feed_id));
  const adjustOne = (index: number) => {
    const location = index % 2 === 0 ? 'L' : 'M';
    const quantity = 1_000 + index;
    if (index % 4 < 2) return adjust(client, simple[index % 10]?.tu_id, { location, quantity });
    return adjust(client, product.tu_id, { location, quantity, variant: variants[index % 10]?.tu_id });
  };
  const adjustments = times(12, async (writer) => {
    for (let round = 0; round < 25; round += 1) {
      const { status, text } = await adjustOne(round * 12 + writer);
      assert.equal(status, 200, text);
    }
  });
  await Promise.all(adjustments);
  for (const feedId of await feeds) assert.equal((await reportOf(client, feedId)).status, 'completed');
  await assertFeedsTrue(apps);

  // The feed that is received last determines the final quantities.
  const last = await sendFeed(client, lines(7));
  await reportOf(client, last.json.feed_id);
  const levels = await levelsOf(apps, brandId);
  assert.deepEqual(new Set([...levels.values()].map(({ quantity }) => quantity)), new Set([7]));
  assert.equal(levels.size, 40);
  await assertFeedsTrue(apps);
});

it('feeds and concurrent changes of what counts leave the rollups correct', async () => {
  const { client } = await apps.newBrand();
  await Promise.all(['L', 'M'].map((code) => newLocation(client, code)));
  const { product, variants } = await newStockedParent(client, 'P', 10);
  const feeds = Promise.all(
    times(20, async (index) => {
      const lines = variants.flatMap(({ sku }) =>
        ['L', 'M'].map((location_code) => ({ sku, location_code, quantity: index })),
      );
      return (await sendFeed(client, lines)).json.feed_id;
    }),
  );
  const changes = [
    ...times(20, (index) => client.patch('/catalog/stock/locations/M', { is_active: index % 2 === 0 })),
    ...times(40, (index) =>
      client.patch(`/catalog/variants/${variants[index % 10]?.tu_id}`, { is_active: index % 3 === 0 }),
    ),
    ...times(2, (index) => client.delete(`/catalog/variants/${variants[index + 8]?.tu_id}`)),
    ...times(10, (index) =>
      client.patch(`/catalog/variants/${variants[index % 5]?.tu_id}`, { sku: `R${index}` }),
    ),
  ];
  for (const { status, text } of await Promise.all(changes)) assert.ok(status < 300 || status === 404, text);
  for (const feedId of await feeds) assert.equal((await reportOf(client, feedId)).status, 'completed');
  await assertFeedsTrue(apps);
  assert.ok((await ok(client.get(`/catalog/products/${product.tu_id}/stock`))).levels.length === 0);
});
