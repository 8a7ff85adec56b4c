import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { addDays, countDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const back = (days: number) => addDays(yesterday, -days);

describe('the calendar of datasets', async () => {
  const brand = await newSeededBrand(apps, { users: ['a', 'b'], markets: ['m'] });
  const url = `/brands/${brand.brandId}/dataset-days`;
  await brand.send([
    { day: back(3), user: 'a' },
    { day: back(1), user: 'a' },
  ]);
  await brand.aggregate({ from: back(3), to: back(3) });
  await brand.aggregate({ from: back(1), to: back(1) });
  await brand.send([
    { day: back(1), user: 'b' },
    { day: back(1), user: 'a' },
    { day: back(2), user: 'b' },
  ]);

  // [internal-111]
  it('shows late events, gaps and revisions, newest first', async () => {
    const { data, meta } = await ok(apps.admin.get(`${url}?from=${back(4)}&to=${yesterday}`));
    assert.deepEqual(meta, { current_page: 1, per_page: 366, total: 5, last_page: 1 });
    const missing = {
      aggregated_at: null,
      dirty: false,
      late_events: 0,
      rows: null,
      revisions: null,
      refreshed_at: null,
      events_dropped: false,
    };
    assert.deepEqual(
      [data[0], data[2], data[4]],
      [
        { date: yesterday, ...missing },
        { date: back(2), ...missing, dirty: true, late_events: 1 },
        { date: back(4), ...missing },
      ],
    );
    const { aggregated_at, refreshed_at, revisions, ...late } = data[1];
    assert.ok(Date.parse(aggregated_at) <= Date.parse(refreshed_at));
    assert.deepEqual(late, {
      date: back(1),
      dirty: true,
      late_events: 2,
      rows: { daily: 2, contents: 1, users: 1, content_engagement: 1 },
      events_dropped: false,
    });
    assert.ok(revisions.users > data[3].revisions.users);
    const { json: status } = await brand.client.get('/analytics/status');
    assert.equal(status.datasets.users.revision, revisions.users);
    assert.deepEqual([data[3].date, data[3].dirty, data[3].late_events], [back(3), false, 0]);
  });

  it('has a year up to yesterday by default, page by page without a gap', async () => {
    const { data, meta } = await ok(apps.admin.get(url));
    assert.deepEqual([data.length, data[0].date, data.at(-1).date], [366, yesterday, back(365)]);
    assert.equal(meta.total, 366);
    const dates: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await ok(apps.admin.get(`${url}?from=${back(9)}&to=${back(1)}&per_page=4&page=${page}`));
      assert.equal(answer.meta.last_page, 3);
      dates.push(...answer.data.map(({ date }: { date: string }) => date));
    }
    assert.deepEqual(
      dates,
      Array.from({ length: 9 }, (_, n) => back(n + 1)),
    );
    const long = await ok(apps.admin.get(`${url}?from=1990-01-01&per_page=100000`));
    assert.deepEqual(
      [long.data.length, long.meta.total],
      [366, countDays({ from: '1990-01-01', to: yesterday })],
    );
  });

  for (const [query, field] of [
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['from=1800-01-01', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=x', 'to'],
    ['to=', 'to'],
    ['per_page=0', 'per_page'],
  ] as const)
    it(`rejects ${query}`, async () =>
      assertRefused(await apps.admin.get(`${url}?${query}`), 'validation_failed', [field]));

  it('of a brand that does not exist is 404', async () =>
    assertRefused(await apps.admin.get('/brands/999999/dataset-days'), 'not_found'));
});

describe('the lag of datasets', () => {
  // [internal-112]
  it('lists all brands, the worst first', async () => {
    const current = await newSeededBrand(apps, { users: ['a'] });
    await current.aggregate({ from: yesterday, to: yesterday });
    const behind = await newSeededBrand(apps, { users: ['a'] });
    await behind.aggregate({ from: back(40), to: back(40) });
    await behind.send([{ day: back(40), user: 'a' }]);
    const never = await apps.newBrand({ name: 'Never' });
    const { data, meta } = await ok(apps.admin.get('/dataset-lag?per_page=200'));
    assert.equal(meta.total, data.length);
    const of = (id: number) => data.find(({ brand_id }: { brand_id: number }) => brand_id === id);
    assert.deepEqual(of(never.brandId), {
      brand_id: never.brandId,
      name: 'Never',
      latest_date: null,
      days_behind: null,
      dirty_days: 0,
    });
    const { name: _, ...lag } = of(behind.brandId);
    assert.deepEqual(lag, {
      brand_id: behind.brandId,
      latest_date: back(40),
      days_behind: 40,
      dirty_days: 1,
    });
    assert.deepEqual([of(current.brandId).days_behind, of(current.brandId).dirty_days], [0, 0]);
    const order = data.map(({ brand_id }: { brand_id: number }) => brand_id);
    assert.ok(order.indexOf(never.brandId) < order.indexOf(behind.brandId));
    assert.ok(order.indexOf(behind.brandId) < order.indexOf(current.brandId));
    const second = await ok(apps.admin.get('/dataset-lag?per_page=1&page=2'));
    assert.deepEqual(second.data, [data[1]]);
  });
});
