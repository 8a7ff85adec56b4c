import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { newAdministrator } from '../../../access/administrators/tests/new-administrator.ts';
import { ok } from '../../../catalog/tests/new-axes.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { raiseRevisions } from '../../store/revision-floor-store.ts';
import { newSeededBrand } from '../../tests/seed.ts';
import { aggregateDueDays } from '../aggregation-service.ts';

const apps = await createTestApps();
const { admin, clock, sql } = apps;
const yesterday = yesterdayOf(clock.now());

interface Revision {
  readonly revision: number;
  readonly cause: string | null;
  readonly events: number | null;
}

// [internal-213]
describe('a day of a dataset', () => {
  it('has the figures that the client API serves, and says why they changed', async () => {
    const brand = await newSeededBrand(apps, { users: ['a', 'b'], contents: ['episode/c0', 'episode/c1'] });
    const { brandId, client } = brand;
    const events = (user: string, count: number) =>
      Array.from({ length: count }, () => ({ day: yesterday, user, content: 'c1' }));
    await brand.send(events('a', 2));
    await aggregateDueDays(apps.context, brandId);
    await brand.send(events('b', 3));
    await aggregateDueDays(apps.context, brandId);
    const read = (dataset: string, day = yesterday) =>
      ok(admin.get(`/brands/${brandId}/datasets/${dataset}/days/${day}`));
    const reasons = ({ revisions }: { revisions: Revision[] }) =>
      revisions.map(({ cause, events: counted }) => [cause, counted]);

    const paths = {
      daily: 'metrics/daily',
      contents: 'metrics/contents',
      users: 'users/daily',
      content_engagement: 'users/contents',
    };
    for (const [dataset, path] of Object.entries(paths)) {
      const day = await read(dataset);
      const { data } = await ok(client.get(`/analytics/${path}?from=${yesterday}&to=${yesterday}`));
      assert.ok(data.length > 0);
      assert.deepEqual([day.figures, day.has_more], [data, false]);
      assert.deepEqual(reasons(day), [
        ['late_events', 5],
        ['nightly', 2],
      ]);
    }
    await brand.aggregate({ from: yesterday, to: yesterday });
    const { revisions, date, dataset } = await read('daily');
    assert.deepEqual([date, dataset, revisions[0].cause], [yesterday, 'daily', 'request']);
    const { datasets } = await ok(client.get('/analytics/status'));
    assert.equal(revisions[0].revision, datasets.daily.revision);

    const never = await read('daily', addDays(yesterday, -50));
    assert.deepEqual([never.figures, never.revisions, never.has_more], [[], [], false]);
    const today = await read('users', addDays(yesterday, 1));
    assert.deepEqual([today.figures, today.revisions], [[], []]);
  });

  it('shows 50 rows at most, and that there are more', async () => {
    const users = Array.from({ length: 53 }, (_, index) => `u${index}`);
    const brand = await newSeededBrand(apps, { users });
    await brand.send(users.map((user) => ({ day: yesterday, user })));
    await brand.aggregate({ from: yesterday, to: yesterday });
    const day = await ok(admin.get(`/brands/${brand.brandId}/datasets/users/days/${yesterday}`));
    assert.deepEqual([day.figures.length, day.has_more, day.revisions[0].rows], [50, true, 53]);
  });

  it('keeps the last revision of an earlier version, and names a restore', async () => {
    const brand = await newSeededBrand(apps);
    await brand.send([{ day: yesterday }]);
    await brand.aggregate({ from: yesterday, to: yesterday });
    await sql('delete from analytics.day_histories where brand_id = $1', [brand.brandId]);
    const read = async () =>
      (await ok(admin.get(`/brands/${brand.brandId}/datasets/daily/days/${yesterday}`))).revisions;
    const [old] = await read();
    assert.deepEqual([old.cause, old.events, old.rows], [null, 1, 1]);
    const { revision } = await raiseRevisions(apps.database);
    assert.deepEqual(
      (await read()).map((one: Revision) => [one.cause, one.revision]),
      [['restore', revision]],
    );
    await brand.send([{ day: yesterday }]);
    await aggregateDueDays(apps.context, brand.brandId);
    assert.deepEqual(
      (await read()).map((one: Revision) => [one.cause, one.events]),
      [
        ['late_events', 2],
        ['restore', 1],
      ],
    );
  });

  it('is 404 for another brand, and 422 for a day or dataset that does not exist', async () => {
    const { brandId } = await apps.newBrand();
    const { brandId: foreign } = await apps.newBrand();
    const support = await newAdministrator(apps, 'support', [brandId]);
    const path = (dataset: string, day: string, id = brandId) =>
      `/brands/${id}/datasets/${dataset}/days/${day}`;
    await ok(support.client.get(path('daily', yesterday)));
    assertRefused(await support.client.get(path('daily', yesterday, foreign)), 'not_found');
    for (const wrong of [path('weekly', yesterday), path('daily', '2026-02-30'), path('daily', 'today')])
      assertRefused(await admin.get(wrong), 'not_found');
  });
});
