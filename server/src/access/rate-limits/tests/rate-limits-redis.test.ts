// processes: starts Redis
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { defaultLimits } from '../../../../test/support/limits.ts';
import { startRedis } from '../../../../test/support/redis-server.ts';
import { createRateLimits } from '../rate-limits.ts';
import { productionTiming } from '../window-counter.ts';

const redis = await startRedis();
after(() => redis?.stop());
const contender = fileURLToPath(new URL('./rate-limits-contender.ts', import.meta.url));

describe('rate limits shared through Redis', { skip: redis === null }, () => {
  const redisUrl = redis?.url ?? '';
  const patient = { ...productionTiming, answerLimitMs: 5_000, connectLimitMs: 10_000 };

  const connectRedis = async (t: TestContext) => {
    const client = await createClient({ url: redisUrl }).connect();
    t.after(() => client.close());
    return client;
  };

  // [internal-115]
  test('a look at the windows counts nothing, and shows what another process has counted', async (t) => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => createRateLimits({ configured: defaultLimits, redisUrl, log: assert.fail }, patient)),
    );
    t.after(() => Promise.all([one?.close(), two?.close()]));
    const owners = [null, 'k', 'unused'].map((keyId) => ({ keyId, own: null }));
    const look = async () => (await two?.listUse({ brandId: 77, owners, now: 0 })) ?? assert.fail();
    const before = await look();
    assert.deepEqual([before.countedBy, before.buckets.length], ['redis', 8]);
    assert.ok(before.buckets.every(({ used, endsAt }) => used === 0 && endsAt === null));
    const request = { domain: 'catalog', keyId: 'k', brandId: 77, isRead: true } as const;
    const decision = await one?.admitKey(request);
    for (const _ of [1, 2, 3]) await look();
    const counted = (await look()).buckets.filter(({ used }) => used > 0);
    assert.deepEqual(
      counted.map(({ name, keyId, limit, used }) => [name, keyId, limit, used]),
      [
        ['catalog_brand', null, 600, 1],
        ['catalog_key_reads', 'k', 300, 1],
      ],
    );
    for (const { endsAt } of counted) assert.equal(Math.ceil((endsAt ?? 0) / 1_000), decision?.resetAt);
  });

  // [internal-182]
  test('own limits are exact over processes, and a new one counts what the window has counted', async (t) => {
    const processes = await Promise.all(
      [1, 2].map(() => createRateLimits({ configured: defaultLimits, redisUrl, log: assert.fail }, patient)),
    );
    t.after(() => Promise.all(processes.map((limits) => limits.close())));
    const request = { domain: 'catalog', keyId: 'importer', brandId: 78, isRead: false } as const;
    const admitted = async (writes: number, count: number) => {
      const own = { catalog_key_writes: writes };
      const decisions = await Promise.all(
        Array.from({ length: count }, (_, n) => processes[n % 2]?.admitKey({ ...request, own })),
      );
      return decisions.filter((decision) => decision?.deniedBy === null).length;
    };
    assert.equal(await admitted(70, 100), 70);
    assert.equal(await admitted(75, 20), 5);
    assert.equal(await admitted(60, 10), 0);
  });

  // [platform-56]
  test('four processes admit exactly 300 of 1,000 parallel reads, and the brand is charged 300', async (t) => {
    const brandId = 1;
    const processes = Array.from({ length: 4 }, () => {
      const order = JSON.stringify({ redisUrl, parallel: 250, brandId });
      const child = spawn(process.execPath, [contender, order], { stdio: ['pipe', 'pipe', 'inherit'] });
      t.after(() => child.kill());
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      return { child, nextLine: async () => String((await lines.next()).value) };
    });
    for (const { nextLine } of processes) assert.equal(await nextLine(), 'ready');
    for (const { child } of processes) child.stdin.write('go');

    const results = await Promise.all(processes.map(async ({ nextLine }) => JSON.parse(await nextLine())));
    assert.deepEqual(
      results.flatMap(({ alarms }) => alarms),
      [],
    );
    assert.equal(
      results.reduce((sum, { admitted }) => sum + admitted, 0),
      300,
    );
    await Promise.all(processes.map(({ child }) => child.exitCode ?? once(child, 'exit')));

    // With keys not limited, the figures told are those of the brand.
    const brandOnly = { ...defaultLimits, catalog_key_reads: 0 };
    const limits = await createRateLimits({ configured: brandOnly, redisUrl, log: assert.fail }, patient);
    t.after(() => limits.close());
    const next = await limits.admitKey({ domain: 'catalog', keyId: 'other', brandId, isRead: true });
    assert.deepEqual([next?.limit, next?.remaining], [600, 600 - 300 - 1]);
  });

  test('nothing stays in Redis once the windows are over', async (t) => {
    const client = await connectRedis(t);
    await client.flushAll();
    const limits = await createRateLimits(
      { configured: defaultLimits, redisUrl, log: assert.fail },
      { ...patient, windowMs: 200 },
    );
    t.after(() => limits.close());
    for (let index = 0; index < 100; index++) await limits.admitAddress(`192.0.2.${index}`);

    const giveUpAt = Date.now() + 10_000;
    while ((await client.dbSize()) > 0 && Date.now() < giveUpAt) await sleep(20);
    assert.equal(await client.dbSize(), 0);
  });

  test('a clock of Redis that is set back blocks nobody for longer than a window', async (t) => {
    const limits = await createRateLimits({ configured: defaultLimits, redisUrl, log: assert.fail }, patient);
    t.after(() => limits.close());
    const client = await connectRedis(t);
    await limits.admitAddress('198.51.100.2');
    const key = 'brandport:limit:address:198.51.100.2';
    // As the window looks that began an hour later by the clock of before, and is used up.
    await client.hSet(key, { used: '300', ends: String(Date.now() + 3_660_000) });
    const decision = await limits.admitAddress('198.51.100.2');
    assert.deepEqual([decision?.deniedBy, decision?.remaining], [null, 299]);
    assert.ok((await client.pTTL(key)) <= 60_000, 'and the key is gone with its window');
  });

  test('a Redis that forgot its scripts gets them again, without counting elsewhere in between', async (t) => {
    const limits = await createRateLimits({ configured: defaultLimits, redisUrl, log: assert.fail }, patient);
    t.after(() => limits.close());
    const client = await connectRedis(t);
    assert.equal((await limits.admitAddress('198.51.100.1'))?.remaining, 299);
    await client.scriptFlush();
    assert.equal((await limits.admitAddress('198.51.100.1'))?.remaining, 298);
  });
});
