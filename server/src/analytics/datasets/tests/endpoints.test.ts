import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand } from '../../tests/seed.ts';
import { base, lists, newListedBrand } from './listed-brand.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const keysetLists = lists.slice(1);
const brand = await newListedBrand(apps);

describe('other parameters', () => {
  const refused: readonly [string, string, string][] = [
    ['/metrics/daily', 'group_by=week', 'group_by'],
    ['/metrics/daily', 'group_by=', 'group_by'],
    ['/metrics/daily', 'market=fr&group_by=market', 'market'],
    ['/metrics/daily', 'market=nowhere&group_by=market', 'market'],
    ['/metrics/daily', 'market=%00', 'market'],
    ['/metrics/daily', 'page=0', 'page'],
    ['/metrics/daily', 'page=1.5', 'page'],
    ['/metrics/daily', 'per_page=0', 'per_page'],
    ['/metrics/daily', 'per_page=ten', 'per_page'],
    ['/metrics/contents', 'content=c0', 'type'],
    ['/metrics/contents', 'type=quest', 'type'],
    ['/metrics/contents', 'type=', 'type'],
    ['/metrics/contents', 'type=Episode', 'type'],
    ['/users/contents', 'content=c0', 'type'],
    ['/users/contents', 'type=lesson&content=c0', 'type'],
    ['/users/contents', 'completed=yes', 'completed'],
    ['/users/contents', 'completed=', 'completed'],
    ['/users/contents', 'user=%ED%A0%80', 'user'],
    ...keysetLists.flatMap((path): [string, string, string][] => [
      [path, 'per_page=0', 'per_page'],
      [path, 'per_page=-1', 'per_page'],
      [path, 'per_page=', 'per_page'],
      [path, 'per_page=1e2', 'per_page'],
    ]),
  ];
  // [analytics-11] [analytics-14]
  for (const [path, query, field] of refused)
    it(`are rejected: ${path}?${query}`, async () => {
      const { status, json } = await brand.client.get(`${base}${path}?${query}`);
      assert.deepEqual([status, json.code, Object.keys(json.errors)], [422, 'validation_failed', [field]]);
    });

  it('are ignored if unknown, and so is `page` on a list without page numbers', async () => {
    const { status, json } = await brand.client.get(`${base}/users/daily?page=0&colour=red`);
    assert.deepEqual([status, json.data.length > 0], [200, true]);
  });

  // [analytics-21]
  it('are capped at the largest page size', async () => {
    for (const path of keysetLists) {
      const { json } = await brand.client.get(`${base}${path}?per_page=100000`);
      assert.equal(json.meta.per_page, 500);
      assert.equal((await brand.client.get(`${base}${path}`)).json.meta.per_page, 100);
    }
    assert.equal((await brand.client.get(`${base}/metrics/daily?per_page=999`)).json.meta.per_page, 200);
    assert.equal((await brand.client.get(`${base}/metrics/daily`)).json.meta.per_page, 50);
  });

  it('accept the four spellings of a boolean', async () => {
    for (const [value, count] of [
      ['true', 1],
      ['1', 1],
      ['false', 1],
      ['0', 1],
    ] as const) {
      const query = `from=${addDays(yesterday, -1)}&completed=${value}`;
      const { json } = await brand.client.get(`${base}/users/contents?${query}`);
      assert.equal(json.data.length, count);
      assert.equal(json.data[0].metrics.is_completed, value === 'true' || value === '1');
    }
  });
});

describe('a page that is filtered by completed', () => {
  // [analytics-17]
  it('is as full as the list allows: rows are filtered before they are paged', async () => {
    const users = Array.from({ length: 12 }, (_, index) => `u${index}`);
    const mixed = await newSeededBrand(apps, { users });
    await mixed.send(
      users.map((user, index) => ({ day: yesterday, user, kind: index % 3 === 0 ? 'completion' : 'view' })),
    );
    await mixed.aggregate({ from: yesterday, to: yesterday });
    for (const [completed, lengths] of [
      ['true', [2, 2]],
      ['false', [2, 2, 2, 2]],
    ] as const) {
      const pages: number[] = [];
      let cursor = '';
      do {
        const query = `completed=${completed}&per_page=2&cursor=${cursor}`;
        const { json } = await mixed.client.get(`${base}/users/contents?${query}`);
        pages.push(json.data.length);
        cursor = json.meta.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(pages, lengths);
    }
  });
});

describe('daily metrics', () => {
  // [analytics-11]
  it('are for the brand, for one market or for every market, never for two of these', async () => {
    const day = `from=${yesterday}&to=${yesterday}`;
    const marketsOf = async (query: string) => {
      const { json } = await brand.client.get(`${base}/metrics/daily?${day}${query}`);
      return json.data.map((row: { market: { tu_id: string } | null; totals: { views: number } }) => [
        row.market?.tu_id ?? null,
        row.totals.views,
      ]);
    };
    assert.deepEqual(await marketsOf(''), [[null, 1]]);
    assert.deepEqual(await marketsOf('&market=fr'), [['fr', 1]]);
    assert.deepEqual(await marketsOf('&market=de'), [['de', 0]]);
    assert.deepEqual(await marketsOf('&group_by=market'), [
      ['de', 0],
      ['fr', 1],
    ]);
  });

  // [D18]
  it('omit a market that was deleted from the directory, with an exact total', async () => {
    const shrinking = await newSeededBrand(apps, { markets: ['a', 'b'] });
    await shrinking.send([{ day: yesterday, market: 'b' }]);
    await shrinking.aggregate({ from: addDays(yesterday, -1), to: yesterday });
    assert.equal((await apps.admin.delete(`/brands/${shrinking.brandId}/markets/b`)).status, 204);
    const { json } = await shrinking.client.get(`${base}/metrics/daily?group_by=market&per_page=1`);
    assert.deepEqual([json.meta.total, json.meta.last_page, json.data[0].market.tu_id], [2, 2, 'a']);
    assert.equal((await shrinking.client.get(`${base}/metrics/daily?market=b`)).status, 404);
  });

  it('have an exact total on each page; a page after the last is empty', async () => {
    const pages = [];
    for (const page of [1, 2, 3]) {
      const { json } = await brand.client.get(`${base}/metrics/daily?per_page=20&page=${page}`);
      assert.deepEqual(json.meta, { current_page: page, per_page: 20, total: 31, last_page: 2 });
      pages.push(json.data.length);
    }
    assert.deepEqual(pages, [20, 11, 0]);
  });
});

describe('access', () => {
  // [analytics-4]
  it('to /status requires any valid key, and no other kind of token', async () => {
    const { client, keyId } = await apps.newKey(brand.brandId, ['catalog.stock:ingest']);
    const { status, json } = await client.get(`${base}/status`);
    assert.deepEqual([status, json.key_id, json.scopes], [200, keyId, ['catalog.stock:ingest']]);
    for (const token of ['cfk_0123456789', 'nonsense'])
      assert.equal((await apps.clientWith(token).get(`${base}/status`)).status, 401);
    assert.equal((await apps.anonymous.get(`${base}/metrics/daily`)).status, 401);
  });

  // [analytics-3]
  it('to a reserved path returns 404', async () => {
    for (const path of ['/metrics/products', '/metrics', '/exports'])
      assert.equal((await brand.client.get(base + path)).status, 404);
  });
});

// [analytics-4] [analytics-5]
describe('the status', () => {
  it('has no date for a brand without aggregated days', async () => {
    const fresh = await newSeededBrand(apps);
    await fresh.send([{ day: yesterday }]);
    const none = { latest_date: null, revision: 0, refreshed_at: null, oldest_date: null };
    const { json } = await fresh.client.get(`${base}/status`);
    assert.deepEqual(json.datasets, { daily: none, contents: none, users: none, content_engagement: none });
  });

  // [analytics-44]
  it('has the first and last aggregated day of each dataset, also of one without rows that day', async () => {
    const quiet = await newSeededBrand(apps);
    await quiet.aggregate({ from: addDays(yesterday, -3), to: addDays(yesterday, -1) });
    const state = {
      latest_date: addDays(yesterday, -1),
      revision: 1,
      oldest_date: addDays(yesterday, -3),
    };
    const { json } = await quiet.client.get(`${base}/status`);
    for (const dataset of Object.values<{ refreshed_at: string | null }>(json.datasets)) {
      assert.ok(Math.abs(Date.parse(dataset.refreshed_at ?? '') - apps.clock.now()) < 60_000);
      delete (dataset as { refreshed_at?: unknown }).refreshed_at;
    }
    assert.deepEqual(json.datasets, {
      daily: state,
      contents: state,
      users: state,
      content_engagement: state,
    });
  });
});
