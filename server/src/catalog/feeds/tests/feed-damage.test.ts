// processes: damages chunks, and waits for the next attempts
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newLocation } from '../../stock/tests/stock.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { listBrandsWithIdleFeeds } from '../feed-work-store.ts';
import { addProducts, feedsPath, sendFeed } from './feeds.ts';

const apps = await createTestApps({ poolSize: 20 });
const skus = ['A', 'B', 'C'];

/** Creates a brand with a feed that is damaged before any worker sees it, and another feed behind that one. */
async function newDamagedBrand(damage: readonly string[]) {
  const brand = await apps.newBrand();
  await newLocation(brand.client, 'L');
  await addProducts(apps, brand.brandId, skus);
  const lines = skus.map((sku, index) => ({ sku, location_code: 'L', quantity: index + 1 }));
  const feed = (await sendFeed(brand.client, lines)).json.feed_id;
  const next = (await sendFeed(brand.client, [{ sku: 'A', location_code: 'L', quantity: 99 }])).json.feed_id;
  for (const text of damage) await apps.sql(text.replaceAll('$brand', String(brand.brandId)));
  return { ...brand, feed, next };
}

/** Applies a brand's feeds until none is unfinished. Returns the times at which failed attempts finished, milliseconds. */
async function workOff(brandId: number): Promise<number[]> {
  const failures: number[] = [];
  const observer = { feedFinished: () => {}, chunkFailed: () => failures.push(performance.now()) };
  const deadline = performance.now() + 60_000;
  while ((await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 1_000 })) !== 'finished')
    assert.ok(performance.now() < deadline, 'the feeds of the brand do not end');
  return failures;
}

const firstFeed = `brand_id = $brand and id = (select min(id) from stock_feeds where brand_id = $brand)`;
const linesOfFirstFeed = `brand_id = $brand and feed_id = (select min(id) from stock_feeds where brand_id = $brand)`;

interface Damage {
  readonly what: string;
  readonly by: readonly string[];
  /** The message of the failed feed; absent: the feed completes, and everything adds up. */
  readonly fails?: RegExp;
}

const damages: readonly Damage[] = [
  {
    what: 'a product without its stock rollup',
    by: [
      `delete from product_stock s using products p
      where s.brand_id = $brand and p.brand_id = $brand and p.id = s.product_id and p.sku = 'B'`,
    ],
  },
  { what: 'no stock rollup at all', by: ['delete from product_stock where brand_id = $brand'] },
  {
    what: 'a line that disappeared',
    by: [`update stock_feed_packs set skus[2] = null where ${linesOfFirstFeed}`],
    fails: /stored for 2 of the 3 lines/,
  },
  {
    what: 'lines that all disappeared',
    by: [`delete from stock_feed_packs where ${linesOfFirstFeed}`],
    fails: /stored for 0 of the 3 lines/,
  },
  {
    what: 'next_line beyond lines that are not decided',
    by: [`update stock_feeds set next_line = 2 where ${firstFeed}`],
    fails: /stored for 1 of the 3 lines/,
  },
  {
    what: 'next_line at the end of a feed that is not finished',
    by: [`update stock_feeds set next_line = 3, status = 'processing' where ${firstFeed}`],
    fails: /stored for 0 of the 3 lines/,
  },
  {
    what: 'received_lines above the number of lines',
    by: [`update stock_feeds set received_lines = 10000 where ${firstFeed}`],
    fails: /stored for 3 of the 10000 lines/,
  },
  {
    what: 'totals that do not add up',
    by: [`update stock_feeds set totals = '{"applied": 5}' where ${firstFeed}`],
  },
  {
    what: 'totals that are no object',
    by: [`update stock_feeds set totals = '[1]' where ${firstFeed}`],
  },
  {
    what: 'totals that are no numbers',
    by: [`update stock_feeds set totals = '{"applied": "many"}' where ${firstFeed}`],
  },
  {
    what: 'a rollup that cannot count any further',
    by: ['update product_stock set own_levels = 2147483647 where brand_id = $brand'],
    fails: /No line could be applied/,
  },
  {
    what: 'a rollup that cannot count, a count of attempts that cannot either, and a last attempt that lies ahead',
    by: [
      'update product_stock set own_levels = 2147483647 where brand_id = $brand',
      `update stock_feeds set failed_attempts = 2147483647, worked_at = now() + interval '1 day' where ${firstFeed}`,
    ],
    fails: /No line could be applied/,
  },
  {
    what: 'a count of attempts below zero',
    by: [`update stock_feeds set failed_attempts = -2147483648 where ${firstFeed}`],
  },
];

describe('a feed finishes, and the one behind it is applied, with', { concurrency: 4 }, () => {
  for (const { what, by, fails } of damages)
    it(what, async () => {
      const { client, brandId, feed, next } = await newDamagedBrand(by);
      await workOff(brandId);
      const rows = await apps.sql<{ status: string; message: string | null }>(
        'select status, message from stock_feeds where brand_id = $1 order by id',
        [brandId],
      );
      const [first, second] = rows as [(typeof rows)[0], (typeof rows)[0]];
      if (fails === undefined) {
        assert.deepEqual(first, { status: 'completed', message: null });
        const report = await client.get(`${feedsPath}/${feed}`);
        assert.deepEqual(report.json.totals, { received: 3, applied: 3 });
      } else {
        assert.equal(first?.status, 'failed');
        assert.match(String(first?.message), fails);
      }
      if (what.startsWith('a rollup')) assert.equal(second?.status, 'failed', 'it meets the same damage');
      else {
        const report = await client.get(`${feedsPath}/${next}`);
        assert.deepEqual(
          [report.json.status, report.json.totals],
          ['completed', { received: 1, applied: 1 }],
        );
      }
    });
});

describe('a chunk that the database refuses', async () => {
  const damage = [
    `create or replace function refuse_level() returns trigger language plpgsql as $$
     begin
       if new.brand_id = $brand and new.sku = 'B' then
         raise check_violation;
       end if;
       return new;
     end $$`,
    'create or replace trigger refuse_level before insert on stock_levels for each row execute function refuse_level()',
  ];

  it('is tried five times, with growing pauses; then its feed has failed, and the next one is applied', async () => {
    const { client, brandId, feed, next } = await newDamagedBrand(damage);
    const failures = await workOff(brandId);
    assert.equal(failures.length, 5);
    const gaps = failures.slice(1).map((at, index) => at - (failures[index] as number));
    for (const [index, gap] of gaps.entries())
      assert.ok(gap >= 50 * 2 ** index - 10, `pause ${index + 1} took ${gap} ms`);
    const { json } = await client.get(`${feedsPath}/${feed}`);
    assert.deepEqual([json.status, json.totals], ['failed', { received: 3 }]);
    assert.match(json.message, /The database rejected them/);
    assert.equal((await client.get(`${feedsPath}/${next}`)).json.status, 'completed');
  });

  it('is not tried during its pause by any worker, and counts as idle only after that', async () => {
    const { brandId } = await newDamagedBrand(damage);
    const attempts: string[] = [];
    const observer = { feedFinished: () => {}, chunkFailed: (feed: string) => attempts.push(feed) };
    while (attempts.length < 4) await applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 0 });
    await apps.sql(`update stock_feeds set failed_attempts = 7 where brand_id = $1 and failed_attempts > 0`, [
      brandId,
    ]);
    await Promise.all(
      Array.from({ length: 20 }, () => applyBrandFeeds(apps.context, observer, brandId, { sliceMs: 0 })),
    );
    assert.equal(attempts.length, 4);
    assert.ok(!(await listBrandsWithIdleFeeds(apps.database, 0)).includes(brandId));
    await apps.sql(`update stock_feeds set worked_at = now() - interval '20 seconds' where brand_id = $1`, [
      brandId,
    ]);
    assert.ok((await listBrandsWithIdleFeeds(apps.database, 5_000)).includes(brandId));
    await apps.sql(`update stock_feeds set worked_at = now() + interval '1 hour' where brand_id = $1`, [
      brandId,
    ]);
    assert.ok(
      (await listBrandsWithIdleFeeds(apps.database, 5_000)).includes(brandId),
      'the clock was set back',
    );
  });
});
