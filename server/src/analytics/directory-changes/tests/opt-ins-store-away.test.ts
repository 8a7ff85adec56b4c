// processes: the search that finds the mark again runs every 15 seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../../test/support/test-apps.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { yesterdayOf } from '../../day.ts';
import { createProxiedStore } from '../../tests/proxied-store.ts';
import { newSeededBrand } from '../../tests/seed.ts';

const { proxy, analyticsAddress } = await createProxiedStore();
const apps = await createTestApps({
  analyticsAddress,
  runsJobs: true,
});
const day = yesterdayOf(apps.clock.now());

describe('opting in again while the analytics store is unavailable', () => {
  it('succeeds, and the mark reaches the store once it is available again', async () => {
    const brand = await newSeededBrand(apps);
    await brand.send([{ day }]);
    await brand.put('users', [{ tu_id: 'u0', analytics_opt_out: true }]);
    await brand.aggregate({ from: day, to: day });
    await proxy.cut();
    await brand.put('users', [{ tu_id: 'u0', analytics_opt_out: false }]);
    const waiting = () => apps.sql('select from learner_returns where brand_id = $1', [brand.brandId]);
    assert.equal((await waiting()).length, 1);
    await proxy.restore();
    await waitFor('the mark', async () => (await waiting()).length === 0, 60_000);
    const { json } = await apps.admin.get(`/brands/${brand.brandId}/aggregations`);
    assert.deepEqual(
      json.data.map(({ date, dirty }: { date: string; dirty: boolean }) => [date, dirty]),
      [[day, true]],
    );
  });
});
