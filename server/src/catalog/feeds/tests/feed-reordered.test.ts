// processes, alone: feeds of 10,000 lines
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newLocation } from '../../stock/tests/stock.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import {
  addProducts,
  assertFeedsTrue,
  feedsPath,
  levelsOf,
  reportOf,
  type SentLine,
  sendFeed,
} from './feeds.ts';

const apps = await createTestApps();
const failed: unknown[] = [];
const observer = {
  feedFinished: () => {},
  chunkFailed: (_feed: string, error: unknown) => failed.push(error),
};

const products = 9_998;
const skus = Array.from({ length: products }, (_, index) => `S${String(index).padStart(5, '0')}`);

/** Creates a brand, and 10,000 lines against the order of SKUs, with a superseded and an unknown one at the ends. */
async function newShop() {
  const brand = await apps.newBrand();
  await newLocation(brand.client, 'L');
  await addProducts(apps, brand.brandId, skus);
  const lineOf = (sku: string, quantity: number): SentLine => ({ sku, location_code: 'L', quantity });
  const lines = skus.map((sku, index) => lineOf(sku, index + 1)).toReversed();
  return { ...brand, lines: [lineOf('S00000', 0), ...lines, lineOf('A-NOBODY', 1)] };
}

async function applyAll(brandId: number): Promise<void> {
  while ((await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 10_000 })) !== 'finished');
}

describe('a large feed that is not in the order of SKUs', () => {
  it('is applied line by line like any other, and its report has the lines as they were sent', async () => {
    const { client, brandId, lines } = await newShop();
    const { json } = await sendFeed(client, lines);
    await applyAll(brandId);
    const report = await reportOf(client, json.feed_id);
    assert.deepEqual(
      [report.status, report.totals],
      ['completed', { received: 10_000, superseded: 1, unknown_sku: 1, applied: products }],
    );
    const pages = await Promise.all(
      Array.from({ length: 20 }, async (_, page) => {
        const { json: part } = await client.get(`${feedsPath}/${json.feed_id}?per_page=500&page=${page + 1}`);
        return part.lines.data as { sku: string; result: string }[];
      }),
    );
    const shown = pages.flat();
    assert.deepEqual(
      shown.map(({ sku }) => sku),
      lines.map(({ sku }) => sku),
    );
    assert.deepEqual(
      [shown[0], shown[1], shown.at(-2), shown.at(-1)].map((line) => line?.result),
      ['superseded', 'applied', 'applied', 'unknown_sku'],
    );
    const past = await client.get(`${feedsPath}/${json.feed_id}?per_page=300&page=34`);
    assert.deepEqual(
      past.json.lines.data.map(({ sku }: { sku: string }) => sku),
      lines.slice(9_900).map(({ sku }) => sku),
      'the last page is shorter',
    );
    const levels = await levelsOf(apps, brandId);
    assert.equal(levels.size, products);
    for (const [index, sku] of skus.entries()) assert.equal(levels.get(`${sku}@L`)?.quantity, index + 1);
    await assertFeedsTrue(apps);
  });

  it('is the same batch when it is sent again, and another one when it is sent in order', async () => {
    const { client, brandId, lines } = await newShop();
    const first = await sendFeed(client, lines, 'batch');
    const again = await sendFeed(client, lines, 'batch');
    assert.deepEqual([again.status, again.json.feed_id], [200, first.json.feed_id]);
    assert.equal(again.headers['x-feed-body-differs'], undefined);
    const sorted = await sendFeed(client, lines.toReversed(), 'batch');
    assert.deepEqual([sorted.status, sorted.headers['x-feed-body-differs']], [200, 'true']);
    await applyAll(brandId);
  });

  it('that fails half way reports which lines were not applied', async () => {
    const { client, brandId, lines } = await newShop();
    await apps.sql(
      `create function refuse_one() returns trigger language plpgsql as $$
       begin
         if new.sku = 'S05000' then raise exception 'refused by a test' using errcode = '23514'; end if;
         return new;
       end $$`,
    );
    await apps.sql(
      'create trigger refuse_one before insert on stock_movements for each row execute function refuse_one()',
    );
    const { json } = await sendFeed(client, lines);
    await applyAll(brandId);
    await apps.sql('drop trigger refuse_one on stock_movements');
    const report = await reportOf(client, json.feed_id);
    assert.equal(report.status, 'failed');
    assert.match(report.message, /without a result/);
    assert.equal(failed.length, 5);
    const applied = report.totals.applied as number;
    assert.ok(applied > 0 && applied < 5_001, 'whole chunks in the order of SKUs');
    const shown = report.lines.data as { sku: string; result: string | null }[];
    assert.deepEqual(
      [shown[0]?.result, shown[1]?.result],
      ['superseded', null],
      'the last SKU was sent first and would have been applied last',
    );
    assert.equal((await levelsOf(apps, brandId)).size, applied);
    await assertFeedsTrue(apps);
  });
});
