// processes: starts six processes of Redis, and kills some
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startCluster } from '../../../../test/support/redis-cluster.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { slotOf } from '../redis-clients.ts';
import { countsOn, openShared } from './shared-limits.ts';

const redis = await startCluster();
after(() => redis?.stop());

// [platform-56] [D188]
describe('rate limits on a cluster', { skip: redis === null }, () => {
  const cluster = redis ?? assert.fail();

  test('slots are computed as Redis does', async () => {
    for (const tag of ['1', 'probe-0', 'probe-1999', '123456789', 'ä€😀'])
      assert.equal(slotOf(tag), await cluster.slotOf(`brandport:limit:{${tag}}`), tag);
  });

  test('brands on all masters are counted exactly, across processes', async (t) => {
    const { counters, lines } = await openShared(t, cluster.url);
    const masters = new Set<number>();
    for (let brandId = 1; brandId <= 12; brandId += 1) {
      masters.add((await cluster.findMasterOf(`brandport:limit:{${brandId}}:catalog_brand`)).port);
      assert.deepEqual(
        await countsOn(counters, 20, brandId),
        { admitted: 10, shared: true },
        `brand ${brandId}`,
      );
    }
    assert.equal(masters.size, 3);
    const addresses = await Promise.all(
      counters.map((limits) =>
        limits.listUse({ brandId: 1, owners: [{ keyId: 'key-1', own: null }], now: 0 }),
      ),
    );
    assert.ok(addresses.every(({ countedBy }) => countedBy === 'redis'));
    assert.deepEqual(lines, []);
  });

  test('a slot that moves to another master keeps its counts', async (t) => {
    const { counters, lines } = await openShared(t, cluster.url);
    const [one, two] = counters;
    const request = { domain: 'catalog', keyId: 'moved', brandId: 7, isRead: true } as const;
    assert.equal((await one?.admitKey(request))?.remaining, 9);
    await cluster.moveSlotOf('brandport:limit:{7}:catalog_brand');
    assert.equal((await two?.admitKey(request))?.remaining, 8);
    assert.equal((await one?.admitKey(request))?.remaining, 7);
    assert.deepEqual(lines, []);
  });

  test('a killed master is replaced within ten seconds; until then each process admits its limit', async (t) => {
    const { counters, lines } = await openShared(t, cluster.url);
    await (await cluster.findMasterOf('brandport:limit:{1}:catalog_brand')).stop();
    const killedAt = performance.now();
    await waitFor('the loss', () => lines.length === 2);
    assert.deepEqual(await countsOn(counters, 40), { admitted: 20, shared: false });
    await waitFor('the failover', () => counters.every((limits) => limits.isShared()));
    const seconds = (performance.now() - killedAt) / 1_000;
    t.diagnostic(`shared again after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 10, `${seconds} s`);
    for (let brandId = 1; brandId <= 10; brandId += 1)
      assert.deepEqual(await countsOn(counters, 20, brandId), { admitted: 10, shared: true });
    assert.match(lines.slice(0, 2).join(), /^(error: Redis unavailable \(\w+\)[^,]*,?){2}$/);
    assert.match(lines.slice(2).join(), /^(info: Redis available again[^,]*,?){2}$/);
  });

  test('a master that takes no writes makes all processes count for themselves, until it does again', async (t) => {
    const { counters, lines } = await openShared(t, cluster.url);
    const master = await cluster.findMasterOf('brandport:limit:{2}:catalog_brand');
    await cluster.configure(master, 'maxmemory', '1');
    t.after(() => cluster.configure(master, 'maxmemory', '0'));
    assert.deepEqual(await countsOn(counters, 40, 2), { admitted: 20, shared: false });
    assert.match(lines.join(), /^(error: Redis unavailable \(OOM\)[^,]*,?){2}$/);
    // A brand of another master is not counted in Redis either: the cluster counts as a whole.
    assert.deepEqual(await countsOn(counters, 40, 3), { admitted: 20, shared: false });
    await cluster.configure(master, 'maxmemory', '0');
    await waitFor('the cluster to be used again', () => counters.every((limits) => limits.isShared()));
    assert.deepEqual(await countsOn(counters, 20, 2), { admitted: 10, shared: true });
  });
});
