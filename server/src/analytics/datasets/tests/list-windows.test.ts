import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { base, lists, newListedBrand } from './listed-brand.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const brand = await newListedBrand(apps);

describe('the window of a list', () => {
  // [analytics-7]
  it('goes back 30 days from yesterday, on users/contents 7, both ends included', async () => {
    const { json: daily } = await brand.client.get(`${base}/metrics/daily`);
    assert.deepEqual(
      [daily.data.length, daily.data[0].date, daily.data.at(-1).date, daily.meta.total],
      [31, addDays(yesterday, -30), yesterday, 31],
    );
    await brand.send([
      { day: addDays(yesterday, -7), user: 'u0' },
      { day: addDays(yesterday, -8), user: 'u0' },
    ]);
    await brand.aggregate({ from: addDays(yesterday, -8), to: addDays(yesterday, -7) });
    const { json: engagement } = await brand.client.get(`${base}/users/contents`);
    assert.deepEqual(
      engagement.data.map(({ date }: { date: string }) => date),
      [addDays(yesterday, -7), yesterday, addDays(yesterday, -1)],
    );
  });

  // [analytics-10]
  it('may extend past yesterday, but such days are not served', async () => {
    const query = `from=${yesterday}&to=${addDays(yesterday, 30)}`;
    for (const path of lists) {
      const { status, json } = await brand.client.get(`${base}${path}?${query}`);
      assert.deepEqual([status, json.data.length, json.data[0].date], [200, 1, yesterday], path);
    }
    const future = `from=${addDays(yesterday, 1)}&to=${addDays(yesterday, 2)}`;
    for (const path of lists)
      assert.deepEqual((await brand.client.get(`${base}${path}?${future}`)).json.data, []);
  });

  // [analytics-9]
  for (const [path, cap] of [
    ['/metrics/daily', 366],
    ['/metrics/contents', 92],
    ['/users/daily', 92],
    ['/users/contents', 92],
  ] as const)
    it(`of ${path} has at most ${cap} days`, async () => {
      const query = (days: number) => `from=${addDays(yesterday, 1 - days)}&to=${yesterday}`;
      assert.equal((await brand.client.get(`${base}${path}?${query(cap)}`)).status, 200);
      const { status, json } = await brand.client.get(`${base}${path}?${query(cap + 1)}`);
      assert.deepEqual([status, json.code], [422, 'date_range_too_large']);
      assert.equal('errors' in json, false);
    });

  // [analytics-8]
  for (const value of [
    '',
    '2026-2-3',
    '2026-02-30',
    '2025-02-29',
    '20260203',
    '2026-02-03T00:00:00Z',
    '0000-01-01',
    '10000-01-01',
    'yesterday',
    '%202026-02-03',
    '2026-02-03%20',
    '2026-02-03+',
    '%00',
    '٢٠٢٦-٠٢-٠٣',
  ])
    it(`is rejected with the day ${JSON.stringify(value)}`, async () => {
      for (const path of lists)
        for (const name of ['from', 'to']) {
          const { status, json } = await brand.client.get(`${base}${path}?${name}=${value}`);
          assert.deepEqual([status, json.code, Object.keys(json.errors)], [422, 'validation_failed', [name]]);
        }
    });

  // [analytics-8]
  it('is rejected when it ends before it begins, and when an end is given twice', async () => {
    for (const path of lists) {
      const turned = await brand.client.get(`${base}${path}?from=2026-02-02&to=2026-02-01`);
      assert.deepEqual([turned.status, Object.keys(turned.json.errors)], [422, ['from']]);
      const twice = await brand.client.get(`${base}${path}?to=2026-02-02&to=2026-02-01`);
      assert.deepEqual([twice.status, Object.keys(twice.json.errors)], [422, ['to']]);
    }
  });
});
