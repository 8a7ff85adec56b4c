// processes: aggregates days again after each change, for ten seconds
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { yesterdayOf } from '../../day.ts';
import { createProxiedStore } from '../../tests/proxied-store.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';
import { settleDirectoryChanges } from '../settle-changes.ts';

const { proxy, analyticsAddress } = await createProxiedStore();
const apps = await createTestApps({ analyticsAddress, runsJobs: true });
const day = yesterdayOf(apps.clock.now());

/** A brand with one aggregated day, on which `u0` was active. */
async function newActiveBrand(): Promise<SeededBrand> {
  const brand = await newSeededBrand(apps, { users: ['u0', 'idle'], markets: ['north'] });
  await brand.send([{ day, market: 'north' }]);
  await brand.aggregate({ from: day, to: day });
  return brand;
}

const waiting = ({ brandId }: SeededBrand) =>
  apps.sql('select kind from directory_changes where brand_id = $1', [brandId]);

async function versionOf({ brandId }: SeededBrand): Promise<number> {
  const sql = 'select version from directory_versions where brand_id = $1';
  const [row] = await apps.sql<{ version: string }>(sql, [brandId]);
  return Number(row?.version ?? 0);
}

/** The causes of the day in each dataset since the first aggregation, once no change waits. */
async function causesOf(brand: SeededBrand): Promise<object> {
  await waitFor('the revisions to move', async () => (await waiting(brand)).length === 0, 30_000);
  const since = 'daily:1,contents:1,users:1,content_engagement:1';
  const { json } = await brand.client.get(`/analytics/status?changes_since=${since}`);
  return Object.fromEntries(
    Object.entries<{ changed: { days: { cause: string }[] } }>(json.datasets).flatMap(([name, { changed }]) =>
      changed.days.map(({ cause }) => [name, cause]),
    ),
  );
}

const optOut = (brand: SeededBrand, user: string, isOut: boolean) =>
  brand.put('users', [{ tu_id: user, analytics_opt_out: isOut }]);

const exclusion = { users: 'exclusion', content_engagement: 'exclusion' };

// [analytics-47]
describe('a change of the directory', () => {
  it('moves the days of a learner who opts out, and again of one who opts in', async () => {
    const brand = await newActiveBrand();
    await optOut(brand, 'u0', true);
    assert.deepEqual(await causesOf(brand), exclusion);
    const revision = async () => (await brand.client.get('/analytics/status')).json.datasets.users.revision;
    const afterOptOut = await revision();
    await optOut(brand, 'u0', false);
    await waitFor('the opt-in', async () => (await revision()) > afterOptOut);
  });

  it('moves nothing for learners without rows or without a change', async () => {
    const brand = await newActiveBrand();
    await optOut(brand, 'idle', true);
    await optOut(brand, 'u0', false);
    await brand.put('users', [
      { tu_id: 'u0', market: 'north' },
      { tu_id: 'new', analytics_opt_out: true },
    ]);
    await brand.put('contents', [{ type: 'episode', tu_id: 'new' }]);
    assert.deepEqual(await causesOf(brand), {});
  });

  it('moves the days of an erased learner at once, but not of one who had opted out', async () => {
    const url = ({ brandId }: SeededBrand) => `/brands/${brandId}/users/u0`;
    const served = await newActiveBrand();
    assert.equal((await apps.admin.delete(url(served))).status, 204);
    assert.deepEqual(await causesOf(served), exclusion);

    const hidden = await newActiveBrand();
    await optOut(hidden, 'u0', true);
    await causesOf(hidden);
    const { json: before } = await hidden.client.get('/analytics/status');
    assert.equal((await apps.admin.delete(url(hidden))).status, 204);
    await causesOf(hidden);
    assert.deepEqual((await hidden.client.get('/analytics/status')).json, before);
  });

  it('moves the days of contents and markets that it lists or deletes, not of those that it renames', async () => {
    const brand = await newActiveBrand();
    const url = `/brands/${brand.brandId}`;
    await brand.put('contents', [{ type: 'episode', tu_id: 'c0', name: 'Renamed' }]);
    assert.deepEqual(await causesOf(brand), {});
    await apps.admin.delete(`${url}/contents/episode/c0`);
    const moved = { contents: 'directory', content_engagement: 'directory' };
    assert.deepEqual(await causesOf(brand), moved);
    await apps.admin.delete(`${url}/markets/north`);
    assert.deepEqual(await causesOf(brand), { daily: 'directory', ...moved });
  });

  it('increments the version of the directory once in each transaction that shows', async () => {
    const brand = await newActiveBrand();
    const tuIds = Array.from({ length: 500 }, (_, n) => `many-${n}`);
    const putAll = (more: object) =>
      brand.put(
        'users',
        tuIds.map((tu_id) => ({ tu_id, ...more })),
      );
    await putAll({});
    assert.equal(await versionOf(brand), 0);
    await putAll({ analytics_opt_out: true });
    assert.equal(await versionOf(brand), 1);
    await putAll({ analytics_opt_out: true, market: 'north' });
    assert.equal(await versionOf(brand), 1);
    await brand.put('contents', [{ type: 'episode', tu_id: 'c0', name: 'Renamed', is_live: false }]);
    assert.equal(await versionOf(brand), 2);
    await apps.admin.delete(`/brands/${brand.brandId}/markets/north`);
    assert.equal(await versionOf(brand), 3);
  });

  it('leaves no record when its transaction rolls back', async () => {
    const brand = await newActiveBrand();
    const { status } = await apps.admin.put(`/brands/${brand.brandId}/users`, {
      items: [
        { tu_id: 'u0', analytics_opt_out: true },
        { tu_id: 'u1', market: 'nowhere' },
      ],
    });
    assert.equal(status, 422);
    assert.deepEqual([await waiting(brand), await versionOf(brand)], [[], 0]);
  });

  it('waits while the analytics store is unavailable, and is settled once it is back', async () => {
    const brand = await newActiveBrand();
    await proxy.cut();
    await optOut(brand, 'u0', true);
    assert.deepEqual(await waiting(brand), [{ kind: 'learner' }]);
    const { status, json } = await brand.client.get('/analytics/status?changes_since=users:1');
    assert.deepEqual([status, json.datasets], [200, null]);
    await proxy.restore();
    assert.deepEqual(await causesOf(brand), exclusion);
  });

  it('is settled by any number of runs at once, and again after a crash before its record was deleted', async () => {
    const brand = await newActiveBrand();
    const run = () => settleDirectoryChanges(apps.context, brand.brandId, { whenBusy: 'wait' });
    await optOut(brand, 'u0', true);
    await Promise.all([run(), run(), run()]);
    await apps.sql(
      `insert into directory_changes (brand_id, kind, subject_id)
       select brand_id, 'learner', id from learners where brand_id = $1 and tu_id = 'u0'`,
      [brand.brandId],
    );
    assert.equal(await run(), 'done');
    assert.deepEqual(await causesOf(brand), exclusion);
  });
});
