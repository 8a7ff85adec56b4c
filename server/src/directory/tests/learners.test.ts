import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const back = (days: number) => addDays(yesterday, -days);

// [internal-207]
describe('a change of an opt-out', () => {
  it('is an entry of the audit for each learner, until the learner is erased', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b', 'c'] });
    const out = (tu_id: string, analytics_opt_out: boolean) => ({ tu_id, analytics_opt_out });
    await brand.put('users', [out('a', true), out('b', true), out('c', false), out('new', true)]);
    await brand.put('users', [out('a', true), out('b', false), { tu_id: 'c' }]);
    const entries = async () => {
      const { data } = await ok(apps.admin.get(`/audit?action=learner.opt_out&brand_id=${brand.brandId}`));
      return data.map(({ resource_id, details }: { resource_id: string; details: { changes: object } }) => [
        resource_id,
        Object.values(details.changes)[0],
      ]);
    };
    const all = await entries();
    assert.deepEqual(all[0], ['b', { from: true, to: false }]);
    assert.deepEqual(all.slice(1).sort(), [
      ['a', { from: false, to: true }],
      ['b', { from: false, to: true }],
      ['new', { from: null, to: true }],
    ]);
    await apps.admin.delete(`/brands/${brand.brandId}/users/b`);
    assert.deepEqual((await entries()).map(([id]: string[]) => id).sort(), ['a', 'new']);
    assert.ok(!(await apps.admin.get(`/audit?brand_id=${brand.brandId}&per_page=200`)).text.includes('"b"'));
  });
});

// [internal-113]
describe('the filters of the list of learners', async () => {
  const brand = await newSeededBrand(apps, { users: ['none'], markets: ['de', 'fr'] });
  await brand.put('users', [
    { tu_id: 'de-1', market: 'de' },
    { tu_id: 'de-2', market: 'de', analytics_opt_out: true },
    { tu_id: 'fr-1', market: 'fr', analytics_opt_out: true },
  ]);
  const other = await newSeededBrand(apps, { users: ['de-1', 'x'], markets: ['de'] });
  await other.put('users', [{ tu_id: 'x', market: 'de', analytics_opt_out: true }]);
  const url = `/brands/${brand.brandId}/users`;

  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', ['de-1', 'de-2', 'fr-1', 'none']],
    ['tu_id=de-2', ['de-2']],
    ['tu_id=DE-2', []],
    ['opted_out=true', ['de-2', 'fr-1']],
    ['opted_out=false', ['de-1', 'none']],
    ['market=de', ['de-1', 'de-2']],
    ['market=de&opted_out=true', ['de-2']],
    ['market=fr&opted_out=false', []],
    ['market=none', []],
    ['market=de&tu_id=fr-1', []],
    ["tu_id='%20or%20true--", []],
  ];
  for (const [query, expected] of cases)
    it(`select with "${query}"`, async () => {
      const { data, meta } = await ok(apps.admin.get(`${url}?${query}`));
      assert.deepEqual(
        data.map(({ tu_id }: { tu_id: string }) => tu_id),
        expected,
      );
      assert.equal(meta.total, expected.length);
    });

  it('apply to all pages', async () => {
    const { data, meta } = await ok(apps.admin.get(`${url}?opted_out=true&per_page=1&page=2`));
    assert.deepEqual([data[0].tu_id, meta.total, meta.last_page], ['fr-1', 2, 2]);
  });

  for (const query of ['opted_out=x', 'opted_out=', 'tu_id=%00'])
    it(`reject ${query}`, async () =>
      assertRefused(await apps.admin.get(`${url}?${query}`), 'validation_failed', [
        query.split('=')[0] as string,
      ]));
});

describe('a learner', async () => {
  const brand = await newSeededBrand(apps, { users: ['out', 'in', 'idle'], markets: ['m'] });
  const url = `/brands/${brand.brandId}/users`;
  const days = [back(40), back(3), back(1)] as const;
  await brand.send(
    days.flatMap((day) => [
      { day, user: 'out' },
      { day, user: 'in' },
    ]),
  );
  await brand.aggregate({ from: back(3), to: yesterday });

  // [internal-114]
  it('shows the days of activity, and after an opt-out the days whose aggregates are stale', async () => {
    const before = await ok(apps.admin.get(`${url}/out`));
    assert.deepEqual([before.first_day, before.last_day], [back(40), back(1)]);
    assert.deepEqual(before.stale_aggregate_days, []);
    await brand.put('users', [{ tu_id: 'out', market: 'm', analytics_opt_out: true }]);
    const { created_at, updated_at, ...after } = await ok(apps.admin.get(`${url}/out`));
    assert.ok(created_at <= updated_at);
    assert.deepEqual(after, {
      tu_id: 'out',
      market: 'm',
      analytics_opt_out: true,
      first_day: back(40),
      last_day: back(1),
      stale_aggregate_days: [back(3), back(1)],
    });
    await brand.aggregate({ from: back(3), to: back(2) });
    assert.deepEqual((await ok(apps.admin.get(`${url}/out`))).stale_aggregate_days, [back(1)]);
    await brand.aggregate({ from: back(40), to: yesterday });
    assert.deepEqual((await ok(apps.admin.get(`${url}/out`))).stale_aggregate_days, []);
    assert.deepEqual((await ok(apps.admin.get(`${url}/in`))).stale_aggregate_days, []);
  });

  it('without activity has no days', async () => {
    const { first_day, last_day, stale_aggregate_days } = await ok(apps.admin.get(`${url}/idle`));
    assert.deepEqual([first_day, last_day, stale_aggregate_days], [null, null, []]);
  });

  // [internal-203]
  it('that is erased leaves a receipt if the request prefers one, and nothing that names it', async () => {
    await brand.put('users', [{ tu_id: 'receipt' }]);
    await brand.send([
      { day: back(2), user: 'receipt', content: 'c1' },
      { day: back(1), user: 'receipt', content: 'c1' },
      { day: yesterday, user: 'receipt', content: 'c1' },
    ]);
    await brand.aggregate({ from: back(2), to: back(1) });
    const headers = { prefer: 'return=representation', 'x-request-id': 'erasing-1' };
    const { status, json } = await apps.admin.request('DELETE', `${url}/receipt`, { headers });
    assert.equal(status, 200);
    assert.ok(Math.abs(Date.parse(json.erased_at) - apps.clock.now()) < 60_000);
    assert.deepEqual(json, {
      tu_id: 'receipt',
      erased_at: json.erased_at,
      request_id: 'erasing-1',
      by: 'admin-token',
      events: 3,
      rows: 4,
      days_to_aggregate: [back(2), back(1)],
    });
    const { text } = await apps.admin.get('/audit?action=learner.delete');
    assert.ok(!text.includes('"receipt"'));
    assert.equal((await apps.admin.request('DELETE', `${url}/receipt`, { headers })).status, 404);
  });

  it('that is unknown, erased or another brand’s is 404', async () => {
    const { brandId } = await newSeededBrand(apps, { users: ['theirs'] });
    await brand.put('users', [{ tu_id: 'erased' }]);
    assert.equal((await apps.admin.delete(`${url}/erased`)).status, 204);
    for (const path of [
      `${url}/theirs`,
      `${url}/erased`,
      `${url}/%00`,
      `${url}/${'x'.repeat(65)}`,
      `/brands/${brandId}/users/in`,
      '/brands/999999/users/in',
    ])
      assertRefused(await apps.admin.get(path), 'not_found');
  });
});
