import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { settleDirectoryChanges } from '../../directory-changes/settle-changes.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

const apps = await createTestApps();
const yesterday = yesterdayOf(apps.clock.now());
const days = [addDays(yesterday, -2), addDays(yesterday, -1), yesterday] as const;

/** `a` is active on the first day, `b` on all. */
async function newActiveBrand(): Promise<SeededBrand> {
  const brand = await newSeededBrand(apps, { users: ['a', 'b'] });
  await brand.send([{ day: days[0], user: 'a' }, ...days.map((day) => ({ day, user: 'b' }))]);
  await brand.aggregate({ from: days[0], to: days[2] });
  return brand;
}

async function changesSince(brand: SeededBrand, since: string) {
  const { status, json, text } = await brand.client.get(`/analytics/status?changes_since=${since}`);
  assert.equal(status, 200, text);
  return json.datasets;
}

const settle = ({ brandId }: SeededBrand) =>
  settleDirectoryChanges(apps.context, brandId, { whenBusy: 'wait' });

// [analytics-46]
describe('changes_since', () => {
  it('lists the changed days of the datasets that it names, and of no other', async () => {
    const brand = await newActiveBrand();
    const before = Date.now();
    const {
      daily,
      contents,
      users,
      content_engagement: engagement,
    } = await changesSince(brand, 'users:0,daily:1');
    assert.deepEqual([daily.changed.since, daily.changed.days, daily.changed.complete], [1, [], true]);
    assert.deepEqual(
      users.changed.days,
      days.map((date) => ({ date, revision: 1, cause: 'aggregated' })),
    );
    const asOf = Date.parse(users.changed.as_of);
    assert.ok(asOf >= before - 1 && asOf <= Date.now());
    assert.deepEqual(['changed' in contents, 'changed' in engagement], [false, false]);
  });

  it('reports a late event as aggregated on its day, and as corrected on later ones', async () => {
    const brand = await newActiveBrand();
    await brand.send([{ day: days[1], user: 'b' }]);
    await brand.aggregate({ from: days[1], to: days[1] });
    const { users } = await changesSince(brand, 'users:1');
    assert.deepEqual(users.changed.days, [
      { date: days[1], revision: 2, cause: 'aggregated' },
      { date: days[2], revision: 2, cause: 'corrected' },
    ]);
  });

  it('is complete only up to the oldest opt-out whose days have not moved', async () => {
    const brand = await newActiveBrand();
    const before = Date.now();
    await brand.put('users', [{ tu_id: 'a', analytics_opt_out: true }]);
    const after = Date.now();
    const waiting = await changesSince(brand, 'users:1,daily:0');
    assert.deepEqual(waiting.users.changed.days, []);
    for (const { changed } of [waiting.users, waiting.daily]) {
      const asOf = Date.parse(changed.as_of);
      assert.ok(before - 1 <= asOf && asOf <= after, `${changed.as_of}`);
    }
    await settle(brand);
    const { users } = await changesSince(brand, 'users:1');
    assert.deepEqual(users.changed.days, [{ date: days[0], revision: 2, cause: 'exclusion' }]);
    assert.ok(Date.parse(users.changed.as_of) > after - 1);
  });

  it('is incomplete if the dataset has not reached the revision', async () => {
    const brand = await newActiveBrand();
    const { users } = await changesSince(brand, 'users:999999999999999');
    assert.deepEqual([users.changed.days, users.changed.complete], [[], false]);
  });

  it('is incomplete with more than 1,000 days', async () => {
    const brand = await newActiveBrand();
    const first = addDays(yesterday, -1_000);
    await apps.sql(
      `insert into analytics.dataset_revisions (brand_id, dataset, day, revision, refreshed_at)
       select $1, 'daily', $2::date + n, 2, now() from generate_series(0, 997) n`,
      [brand.brandId, first],
    );
    const { daily } = await changesSince(brand, 'daily:0');
    assert.deepEqual([daily.changed.days.length, daily.changed.complete], [1_000, false]);
    assert.equal((await changesSince(brand, 'daily:1')).daily.changed.complete, true);
    assert.equal(daily.oldest_date, first);
  });

  it('is refused if it is malformed', async () => {
    const { client } = await apps.newBrand();
    for (const value of [
      '',
      'users',
      'users:',
      'users:-1',
      'users:1.5',
      'users:x',
      'users:1,',
      'users:1;daily:2',
      'metrics:1',
      'users:1,users:2',
      'users:9999999999999999',
      '%00',
    ]) {
      const { status, json } = await client.get(`/analytics/status?changes_since=${value}`);
      assert.deepEqual(
        [status, json.code, Object.keys(json.errors ?? {})],
        [422, 'validation_failed', ['changes_since']],
        value,
      );
    }
  });
});
