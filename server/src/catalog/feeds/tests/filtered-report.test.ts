import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../tests/new-axes.ts';
import { applyBrandFeeds } from '../apply-feeds.ts';
import { dropFeedLines } from '../feed-store.ts';
import { addProducts, feedsPath, type SentLine, sendFeed, unobserved } from './feeds.ts';

// Feeds are applied only when a test does so.
const apps = await createTestApps();
const { client, brandId } = await apps.newBrand();
await ok(client.post('/catalog/stock/locations', { external_code: 'L' }), 201);
await addProducts(apps, brandId, ['A']);

interface Line {
  readonly line: number;
  readonly sku: string;
  readonly result: string | null;
}

async function newFeed(lines: readonly SentLine[]): Promise<string> {
  const { json } = await sendFeed(client, lines);
  return `${feedsPath}/${json.feed_id}`;
}

const work = () => applyBrandFeeds(apps.context, unobserved, brandId, { sliceMs: 60_000 });

const linesOf = async (path: string, query: string) =>
  (await ok(client.get(`${path}?${query}`))).lines as { data: Line[]; meta: { total: number } };

// [catalog-119]
describe('a report that is narrowed to results', () => {
  it('has the lines with them in the order of the request, their places and their number', async () => {
    const path = await newFeed([
      { sku: 'NONE', location_code: 'L', quantity: 1 },
      { sku: 'A', location_code: 'X', quantity: 1 },
      { sku: 'A', location_code: 'L', quantity: 1 },
      { sku: 'ALSO-NONE', location_code: 'L', quantity: 1 },
      { sku: 'A', location_code: 'L', quantity: 2 },
    ]);
    assert.deepEqual(
      (await linesOf(path, 'result=superseded')).data.map(({ line }) => line),
      [2],
    );
    assert.deepEqual((await linesOf(path, 'result=applied')).data, [], 'nothing is decided yet');
    await work();
    const one = await linesOf(path, 'result=unknown_sku');
    assert.deepEqual(
      one.data.map(({ line, sku, result }) => [line, sku, result]),
      [
        [0, 'NONE', 'unknown_sku'],
        [3, 'ALSO-NONE', 'unknown_sku'],
      ],
    );
    assert.equal(one.meta.total, 2);
    const several = await linesOf(
      path,
      'result=applied,unknown_location,unknown_sku,applied&per_page=2&page=2',
    );
    assert.deepEqual(
      several.data.map(({ line }) => line),
      [3, 4],
    );
    assert.equal(several.meta.total, 4);
    assert.deepEqual((await linesOf(path, 'result=stale')).meta, {
      current_page: 1,
      per_page: 100,
      total: 0,
      last_page: 1,
    });
    assert.deepEqual((await linesOf(path, 'result=unknown_sku&page=2')).data, []);
    const { totals } = await ok(client.get(`${path}?result=applied`));
    assert.deepEqual(totals, { received: 5, superseded: 1, unknown_sku: 2, unknown_location: 1, applied: 1 });
  });

  it('has the places of the request also where the lines are stored in another order', async () => {
    // Descending, so that every line is moved; smaller feeds are stored as they were sent.
    const count = 10_500;
    const lines = Array.from({ length: count }, (_, index) => ({
      sku: `S${String(count - index).padStart(5, '0')}`,
      location_code: index % 1_000 === 7 ? 'X' : 'L',
      quantity: index,
    }));
    lines[1_500] = { sku: 'A', location_code: 'L', quantity: 1 };
    const path = await newFeed(lines);
    await work();
    const applied = await linesOf(path, 'result=applied');
    assert.deepEqual(
      applied.data.map(({ line, sku }) => [line, sku]),
      [[1_500, 'A']],
    );
    const last = await linesOf(path, 'result=unknown_sku&per_page=500&page=21');
    assert.equal(last.meta.total, count - 1);
    assert.deepEqual(
      last.data.map(({ line, sku }) => [line, sku]),
      lines
        .map(({ sku }, line) => [line, sku] as const)
        .filter(([, sku]) => sku !== 'A')
        .slice(10_000),
    );
    const all = await linesOf(path, 'per_page=500&page=4');
    assert.deepEqual(
      all.data.map(({ line, sku }) => [line, sku]),
      lines.map(({ sku }, line) => [line, sku]).slice(1_500, 2_000),
    );
  });

  it('has no lines once they are dropped, and the numbers of the totals', async () => {
    const path = await newFeed([{ sku: 'A', location_code: 'L', quantity: 5 }]);
    await work();
    await apps.database.transaction((tx) => dropFeedLines(tx, new Date(Date.now() + 60_000)));
    const { data, meta } = await linesOf(path, 'result=applied,unchanged');
    assert.deepEqual([data, meta.total], [[], 1]);
  });

  it('is refused for an unknown result', async () => {
    const path = await newFeed([{ sku: 'A', location_code: 'L', quantity: 1 }]);
    for (const value of ['', 'done', 'applied,', 'Applied', 'applied, stale', 'applied,null'])
      assertRefused(await client.get(`${path}?result=${encodeURIComponent(value)}`), 'validation_failed', [
        'result',
      ]);
    await work();
  });
});
