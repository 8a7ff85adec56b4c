import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { scheduledJobs } from '../../../jobs/job.ts';
import { addDays, countDays, type DayRange, yesterdayOf } from '../../day.ts';
import { newSeededBrand } from '../../tests/seed.ts';
import { aggregateAllBrands, aggregateDueDays, BrandsNotAggregated } from '../aggregation-service.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());

describe('aggregating on demand', () => {
  // [internal-40]
  it('refuses days before 2000', async () => {
    const { brandId } = await newSeededBrand(apps);
    for (const from of ['0001-01-01', '1999-12-31']) {
      const { status, json } = await apps.admin.post(`/brands/${brandId}/aggregations`, { from, to: from });
      assert.deepEqual([status, json.errors], [422, { from: ['must be 2000-01-01 or later'] }]);
    }
    assert.deepEqual((await apps.admin.get(`/brands/${brandId}/aggregations`)).json.data, []);
  });

  // [internal-40] [internal-42]
  it('returns the days and rows that were written, and lists them newest first', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b'], markets: ['m'] });
    await brand.send([
      { day: yesterday, user: 'a' },
      { day: yesterday, user: 'b' },
      { day: yesterday, user: 'b', type: 'quest', content: 'q' },
    ]);
    const url = `/brands/${brand.brandId}/aggregations`;
    const first = addDays(yesterday, -1);
    const { status, json } = await apps.admin.post(url, { from: first, to: yesterday });
    assert.equal(status, 200);
    assert.deepEqual(json, { days: 2, rows: { daily: 4, contents: 1, users: 2, content_engagement: 2 } });
    const { json: list } = await apps.admin.get(url);
    assert.deepEqual(list.meta, { current_page: 1, per_page: 50, total: 2, last_page: 1 });
    assert.deepEqual(
      list.data.map(({ aggregated_at: _, ...row }: { aggregated_at: string }) => row),
      [
        { date: yesterday, rows: { daily: 2, contents: 1, users: 2, content_engagement: 2 }, dirty: false },
        { date: first, rows: { daily: 2, contents: 0, users: 0, content_engagement: 0 }, dirty: false },
      ],
    );
    await brand.send([{ day: first }].map((event) => ({ ...event, user: 'a' })));
    const { json: marked } = await apps.admin.get(`${url}?per_page=1&page=2`);
    assert.deepEqual([marked.data[0].date, marked.data[0].dirty], [first, true]);
  });

  it('is recorded in the audit', async () => {
    const brand = await newSeededBrand(apps);
    await brand.aggregate({ from: yesterday, to: yesterday });
    const { json } = await apps.admin.get(`/audit?brand_id=${brand.brandId}&action=analytics.aggregate`);
    assert.deepEqual(
      json.data.map(({ resource_id, details }: { resource_id: string; details: object }) => [
        resource_id,
        details,
      ]),
      [[`${yesterday}/${yesterday}`, { days: 1 }]],
    );
  });

  const bad: readonly [string, unknown, readonly string[]][] = [
    ['a day that is not over', { from: yesterday, to: addDays(yesterday, 1) }, ['to']],
    ['a range that ends before it begins', { from: yesterday, to: addDays(yesterday, -1) }, ['from']],
    ['a range of a thousand years', { from: '1000-01-01', to: yesterday }, ['from']],
    ['no range', {}, ['from', 'to']],
    ['days that the calendar does not have', { from: '2026-02-30', to: '2026-13-01' }, ['from', 'to']],
    ['other types', { from: 20_260_101, to: null }, ['from', 'to']],
    ['a list', [], ['body']],
  ];
  for (const [name, body, fields] of bad)
    it(`is refused for ${name}`, async () => {
      const { brandId } = await apps.newBrand();
      const { status, json } = await apps.admin.post(`/brands/${brandId}/aggregations`, body);
      assert.deepEqual([status, Object.keys(json.errors ?? {}).sort()], [422, [...fields].sort()]);
      assert.deepEqual((await apps.admin.get(`/brands/${brandId}/aggregations`)).json.data, []);
    });

  it('returns 404 for an unknown brand', async () => {
    for (const id of ['0', '999999', 'abc']) {
      for (const to of [yesterday, addDays(yesterday, 9)])
        assert.equal((await apps.admin.post(`/brands/${id}/aggregations`, { from: to, to })).status, 404);
      assert.equal((await apps.admin.get(`/brands/${id}/aggregations`)).status, 404);
    }
  });
});

describe('the directory of an aggregation', () => {
  // [analytics-34]
  it('are current when it runs: learners, live contents, active products', async () => {
    const brand = await newSeededBrand(apps, {
      users: ['a', 'b', 'c'],
      contents: ['episode/e0', 'episode/e1', 'program/p0', 'quest/q0', 'quest/q1'],
    });
    await brand.put('users', [{ tu_id: 'c', analytics_opt_out: true }]);
    await brand.put('contents', [{ type: 'quest', tu_id: 'q1', is_live: false }]);
    await apps.admin.delete(`/brands/${brand.brandId}/contents/episode/e1`);
    for (const sku of ['A', 'B'])
      await brand.client.create('/catalog/products', { sku, title: sku, is_active: sku === 'A' });
    const first = addDays(yesterday, -1);
    await brand.send([
      { day: first, user: 'a', content: 'e0' },
      { day: yesterday, user: 'a', content: 'e0' },
    ]);
    await brand.aggregate({ from: first, to: yesterday });
    // Changes from here on are visible only on the day that is aggregated again.
    await brand.put('users', [{ tu_id: 'd' }]);
    await brand.put('contents', [{ type: 'program', tu_id: 'p1' }]);
    await brand.aggregate({ from: yesterday, to: yesterday });

    const { json: daily } = await brand.client.get(`/analytics/metrics/daily?from=${first}`);
    const live = { episodes: 1, programs: 1, quests: 1, products: 1 };
    assert.deepEqual(
      daily.data.map(({ live_content }: { live_content: object }) => live_content),
      [live, { ...live, programs: 2 }],
    );
    const { json: contents } = await brand.client.get('/analytics/metrics/contents');
    assert.deepEqual(
      contents.data.map(({ metrics }: { metrics: Record<string, number> }) => [
        metrics['total_users'],
        metrics['engagement_rate'],
      ]),
      [
        [2, 50],
        [3, 33.33],
      ],
    );
  });
});

describe('the nightly run', () => {
  // [internal-43]
  it('is scheduled at 00:05 UTC', () => {
    assert.ok(scheduledJobs.some(({ cron, name }) => cron === '5 0 * * *' && name.startsWith('aggregate')));
  });

  // [internal-43]
  it('covers every brand: yesterday, late events, and what was missed', async () => {
    const never = await newSeededBrand(apps);
    const before = await newSeededBrand(apps);
    const missed = addDays(yesterday, -3);
    await before.aggregate({ from: addDays(missed, -5), to: addDays(missed, -1) });
    await before.send([{ day: addDays(missed, -4) }]);

    await aggregateAllBrands(apps.context);
    const daysOf = async (brandId: number) => {
      const { json } = await apps.admin.get(`/brands/${brandId}/aggregations`);
      return json.data.map(({ date, dirty }: { date: string; dirty: boolean }) =>
        dirty ? `${date}!` : date,
      );
    };
    assert.deepEqual(await daysOf(never.brandId), [yesterday]);
    assert.deepEqual(
      await daysOf(before.brandId),
      Array.from({ length: 9 }, (_, index) => addDays(yesterday, -index)),
    );
    const { json } = await before.client.get(`/analytics/metrics/daily?from=${addDays(missed, -5)}`);
    assert.deepEqual(
      json.data.map(({ cumulative }: { cumulative: { views: number } }) => cumulative.views),
      [0, 1, 1, 1, 1, 1, 1, 1, 1],
    );
  });

  it('continues with the other brands when one fails, reports it, and completes it in the next run', async () => {
    const [first, broken, last] = [
      await newSeededBrand(apps),
      await newSeededBrand(apps),
      await newSeededBrand(apps),
    ];
    const { analytics } = apps.context;
    const failing = {
      ...apps.context,
      analytics: {
        ...analytics,
        aggregate: async (...args: Parameters<typeof analytics.aggregate>) => {
          if (args[0] === broken.brandId) throw new Error('the disk is full');
          return analytics.aggregate(...args);
        },
      },
    };
    await assert.rejects(
      aggregateAllBrands(failing),
      (error) => error instanceof BrandsNotAggregated && /the disk is full/.test(error.message),
    );
    const latestOf = async (brand: typeof first) =>
      (await brand.client.get('/analytics/status')).json.datasets.daily.latest_date;
    assert.deepEqual(
      [await latestOf(first), await latestOf(broken), await latestOf(last)],
      [yesterday, null, yesterday],
    );
    await aggregateAllBrands(apps.context);
    assert.equal(await latestOf(broken), yesterday);
  });

  it('stops when the store is unavailable, and starts with the remaining brands in the next run', async () => {
    for (const _ of [1, 2, 3, 4, 5]) await newSeededBrand(apps);
    const { analytics } = apps.context;
    let asked = 0;
    const away = {
      ...apps.context,
      analytics: {
        ...analytics,
        aggregate: async () => {
          asked += 1;
          throw new ApiError('analytics_unavailable');
        },
      },
    };
    await assert.rejects(aggregateAllBrands(away), BrandsNotAggregated);
    assert.equal(asked, 3);
    const { days, brands } = await aggregateAllBrands(apps.context);
    assert.deepEqual([days >= 5, days < brands], [true, true], 'brands that are done are not done again');
    assert.equal((await aggregateAllBrands(apps.context)).days, 0);
  });

  // [internal-43]
  it('fills at most 400 days after an old day, a transaction a month, and keeps what was done when it is stopped', async () => {
    const brand = await newSeededBrand(apps);
    const old = addDays(yesterday, -5_000);
    await brand.aggregate({ from: old, to: old });
    await brand.send([{ day: addDays(yesterday, -3_000) }]);
    const { analytics } = apps.context;
    const stop = new AbortController();
    const ranges: DayRange[] = [];
    const counting = {
      ...apps.context,
      analytics: {
        ...analytics,
        aggregate: async (...args: Parameters<typeof analytics.aggregate>) => {
          ranges.push(args[1]);
          if (ranges.length === 3) stop.abort(new Error('stopped'));
          return analytics.aggregate(...args);
        },
      },
    };
    await assert.rejects(
      aggregateDueDays(counting, brand.brandId, { signal: stop.signal }),
      /^Error: stopped/,
    );
    assert.equal(ranges.length, 3);
    const due = await analytics.listDueDays(brand.brandId, yesterday);
    const done = ranges.reduce((sum, range) => sum + countDays(range), 0);
    assert.equal(due.length, 401 - done);
    await aggregateDueDays(counting, brand.brandId);
    assert.ok(ranges.every(({ from, to }) => from.slice(0, 7) === to.slice(0, 7)));
    assert.equal(ranges[0]?.from, addDays(yesterday, -3_000));
    assert.equal(ranges[1]?.from, addDays(yesterday, -399));
    assert.equal(
      ranges.reduce((sum, range) => sum + countDays(range), 0),
      401,
    );
  });

  it('has the same result when two runs overlap', async () => {
    const brand = await newSeededBrand(apps);
    await brand.send([{ day: yesterday, xp_earned: 3 }, { day: addDays(yesterday, -2) }]);
    await Promise.all([aggregateAllBrands(apps.context), aggregateAllBrands(apps.context)]);
    const { json } = await brand.client.get(`/analytics/users/daily`);
    assert.deepEqual(
      json.data.map(
        ({ cumulative, metrics }: { cumulative: { views: number }; metrics: { xp_earned: number } }) => [
          cumulative.views,
          metrics.xp_earned,
        ],
      ),
      [
        [1, 0],
        [2, 3],
      ],
    );
  });
});

describe('the revisions of a dataset', () => {
  it('identify the days that changed since a known revision, running totals included', async () => {
    const brand = await newSeededBrand(apps);
    const day = (offset: number) => addDays(yesterday, offset);
    await brand.send([{ day: day(-4) }, { day: day(-2) }]);
    await brand.aggregate({ from: day(-4), to: yesterday });
    const changedSince = async (dataset: string, revision: number) => {
      const rows = await apps.sql<{ day: string; revision: number }>(
        `select to_char(day, 'YYYY-MM-DD') as day, revision from analytics.dataset_revisions
         where brand_id = $1 and dataset = $2 and revision > $3 order by day`,
        [brand.brandId, dataset, revision],
      );
      return { days: rows.map((row) => row.day), newest: Math.max(...rows.map((row) => row.revision)) };
    };
    const seen = (await changedSince('users', 0)).newest;
    await brand.send([{ day: day(-3) }]);
    await brand.aggregate({ from: day(-3), to: day(-3) });
    // The learner's only later row is that of two days ago; the brand has a row on every day.
    assert.deepEqual((await changedSince('users', seen)).days, [day(-3), day(-2)]);
    assert.deepEqual((await changedSince('contents', seen)).days, [day(-3), day(-2)]);
    assert.deepEqual((await changedSince('content_engagement', seen)).days, [day(-3), day(-2)]);
    assert.deepEqual((await changedSince('daily', seen)).days, [day(-3), day(-2), day(-1), day(0)]);
  });
});
