// nightly: large and hundreds of small feeds compete
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import {
  addProducts,
  applyFeed,
  assertFeedsTrue,
  feedsPath,
  levelsOf,
  reportOf,
  sendFeed,
  strictObserver,
} from './feeds.ts';

function linesFor(skus: readonly string[], quantity: number) {
  return skus.map((sku) => ({ sku, location_code: 'L', quantity }));
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

const ofOneBrand = await createTestApps({ poolSize: 20 });
const ofSeveralBrands = await createTestApps({ runsJobs: true });

describe('feeds of one brand', async () => {
  const apps = ofOneBrand;
  const { client, brandId } = await apps.newBrand();
  await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
  const skus = numbered('S', 3_000);
  await addProducts(apps, brandId, skus);

  // [catalog-115]
  it('are applied in the order of receipt', async () => {
    const sent: { feed_id: string }[] = [];
    for (const quantity of [1, 2, 3]) sent.push((await sendFeed(client, linesFor(skus, quantity))).json);
    await applyBrandFeeds(apps.context, strictObserver, brandId, { sliceMs: 0 });
    const statuses = async () =>
      Promise.all(sent.map(async ({ feed_id }) => (await ok(client.get(`${feedsPath}/${feed_id}`))).status));
    assert.deepEqual(await statuses(), ['processing', 'queued', 'queued']);
    while (
      (await applyBrandFeeds(apps.context, strictObserver, brandId, { sliceMs: 10_000 })) !== 'finished'
    );
    const order = await apps.sql('select tu_id from stock_feeds where brand_id = $1 order by finished_at', [
      brandId,
    ]);
    assert.deepEqual(
      order.map(({ tu_id }) => tu_id),
      sent.map(({ feed_id }) => feed_id),
    );
    assert.deepEqual(
      new Set([...(await levelsOf(apps, brandId)).values()].map(({ quantity }) => quantity)),
      new Set([3]),
    );
    await assertFeedsTrue(apps);
  });

  it('are applied by one worker at a time, regardless of how many try', async () => {
    for (const quantity of [4, 5]) await sendFeed(client, linesFor(skus, quantity));
    // Each worker returns while there is something left, like a worker with jobs.
    const worker = async () => {
      const answers = [];
      do answers.push(await applyBrandFeeds(apps.context, strictObserver, brandId, { sliceMs: 10_000 }));
      while (answers.at(-1) !== 'finished');
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: 8 }, worker))).flat();
    assert.ok(answers.includes('busy'), 'those who found it taken went away');
    // A chunk that two workers had applied would have duplicate movements, or a gap in the ledger.
    await assertFeedsTrue(apps);
    const [counts] = await apps.sql(
      `select count(*) as movements from stock_movements where brand_id = $1 and quantity_after in (4, 5)`,
      [brandId],
    );
    assert.equal(counts?.['movements'], 6_000);
  });
});

describe('feeds of several brands', () => {
  const apps = ofSeveralBrands;

  async function brandWithFeed(lines: number) {
    const brand = await apps.newBrand();
    await ok(brand.client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
    const skus = numbered('S', lines);
    await addProducts(apps, brand.brandId, skus);
    const { json } = await sendFeed(brand.client, linesFor(skus, 7));
    return { ...brand, feedId: json.feed_id };
  }

  // [catalog-115]
  it('do not wait for each other: large ones advance concurrently, and a small one overtakes them', async () => {
    const large = await Promise.all([brandWithFeed(15_000), brandWithFeed(15_000)]);
    const small = await apps.newBrand();
    await waitFor('both to be under way', async () => {
      const rows = await apps.sql(
        `select 1 from stock_feeds where status = 'processing' and next_line < 15000`,
      );
      return rows.length === 2;
    });
    await applyFeed(small.client, [{ sku: 'X', location_code: 'L', quantity: 1 }]);
    const unfinished = await apps.sql('select 1 from stock_feeds where finished_at is null');
    assert.equal(unfinished.length, 2, 'the small feed is done while the large ones still run');
    for (const { client, feedId } of large)
      assert.equal((await reportOf(client, feedId)).status, 'completed');
    await assertFeedsTrue(apps);
  });

  it('share the workers, even if one brand has hundreds of feeds before another’s first', async () => {
    const busy = await apps.newBrand();
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        Array.from({ length: 20 }, () =>
          sendFeed(busy.client, [{ sku: 'X', location_code: 'L', quantity: 1 }]),
        ),
      );
    const quick = await apps.newBrand();
    const sentAt = Date.now();
    await applyFeed(quick.client, [{ sku: 'X', location_code: 'L', quantity: 1 }]);
    assert.ok(Date.now() - sentAt < 10_000);
    await waitFor('all of them to be done', async () => {
      const rows = await apps.sql('select 1 from stock_feeds where finished_at is null');
      return rows.length === 0;
    });
  });
});
