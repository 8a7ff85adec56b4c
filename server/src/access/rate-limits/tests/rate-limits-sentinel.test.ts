// processes: starts six processes of Redis, and kills some
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startSentinels } from '../../../../test/support/redis-sentinels.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { countsOn, openShared } from './shared-limits.ts';

const redis = await startSentinels();
after(() => redis?.stop());

// [platform-56] [D188]
describe('rate limits on a master that Sentinels name', { skip: redis === null }, () => {
  const sentinels = redis ?? assert.fail();

  test('a killed master is replaced within ten seconds; until then each process admits its limit', async (t) => {
    const { counters, lines } = await openShared(t, sentinels.url);
    const master = await sentinels.findMaster();
    await master.stop();
    const killedAt = performance.now();
    await waitFor('the loss', () => lines.length === 2);
    assert.deepEqual(await countsOn(counters, 40), { admitted: 20, shared: false });
    await waitFor('the failover', () => counters.every((limits) => limits.isShared()));
    const seconds = (performance.now() - killedAt) / 1_000;
    t.diagnostic(`shared again after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 10, `${seconds} s`);
    assert.deepEqual(await countsOn(counters, 20), { admitted: 10, shared: true });
    assert.match(lines.slice(0, 2).join(), /^(error: Redis unavailable \(\w+\)[^,]*,?){2}$/);
    assert.match(lines.slice(2).join(), /^(info: Redis available again[^,]*,?){2}$/);
  });

  test('a master that froze is left for its successor, also by a process without requests', async (t) => {
    const { counters } = await openShared(t, sentinels.url);
    const frozen = await sentinels.findMaster();
    frozen.pause();
    t.after(() => frozen.resume());
    await waitFor('the failover', async () => (await sentinels.findMaster()) !== frozen);
    // The former master accepts writes until a Sentinel makes it a replica.
    frozen.resume();
    await waitFor(
      'both processes to count on the new master',
      async () => {
        const { admitted, shared } = await countsOn(counters, 20);
        return shared && admitted === 10;
      },
      10_000,
    );
    for (let round = 0; round < 3; round += 1)
      assert.deepEqual(await countsOn(counters, 20), { admitted: 10, shared: true });
  });

  test('two processes count together, and a lost Sentinel changes nothing', async (t) => {
    const { counters, lines } = await openShared(t, sentinels.url);
    assert.deepEqual(await countsOn(counters, 20), { admitted: 10, shared: true });
    // The connections of both are to the first one.
    const [first] = sentinels.sentinels;
    await first?.stop();
    assert.deepEqual(await countsOn(counters, 20), { admitted: 10, shared: true });
    assert.deepEqual(lines, []);
  });

  test('a Sentinel that hangs delays the first connection, and does not prevent it', async (t) => {
    const [, second] = sentinels.sentinels;
    second?.pause();
    t.after(() => second?.resume());
    const url = sentinels.url.replace(
      /@.*\//,
      `@127.0.0.1:${second?.port},127.0.0.1:${sentinels.sentinels[2]?.port}/`,
    );
    const { counters } = await openShared(t, url);
    await waitFor('another Sentinel to be asked', () => counters.every((limits) => limits.isShared()));
    assert.deepEqual(await countsOn(counters, 20), { admitted: 10, shared: true });
  });
});
