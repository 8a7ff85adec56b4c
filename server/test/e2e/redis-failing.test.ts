import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { startRedis, type TestRedis } from '../support/redis-server.ts';
import { seedBrand } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** One response limit of a second, plus room for a busy machine. */
const latencyLimitMs = 3_000;
const redis = await startRedis();
after(() => redis?.stop());

test('requests go on while Redis fails in every way, with one log line for each failure', {
  skip: redis === null,
}, async (t) => {
  const first = redis as TestRedis;
  const proxy = await startTcpProxy(first.port);
  const server = await startServerProcess({
    env: {
      DATABASE_URL: databaseUrl(await createDatabase()),
      BRANDPORT_DEMO: undefined,
      REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
      // High enough to be counted and never reached.
      BRANDPORT_LIMIT_CATALOG_READS: '1000000',
      BRANDPORT_LIMIT_CATALOG_BRAND: '1000000',
    },
  });
  const { apiKey } = await seedBrand(server);
  let slowestMs = 0;
  let answered = 0;
  let isLoaded = true;
  const load = Array.from({ length: 6 }, async () => {
    while (isLoaded) {
      const start = performance.now();
      const { status, text, headers } = await sendHttp(`${server.clientUrl}/v1/client/catalog/products`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      assert.equal(status, 200, text);
      assert.equal(headers['x-ratelimit-limit'], '1000000');
      slowestMs = Math.max(slowestMs, performance.now() - start);
      answered += 1;
      await sleep(5);
    }
  });
  const lines = () => logLinesOf(server.stderr());
  const count = (text: string) => lines().filter(({ msg }) => msg.includes(text)).length;
  const goOn = async () => {
    const before = answered;
    await waitFor('requests to go on', () => answered > before + 30);
  };
  const operator = createClient({ url: first.url }).on('error', () => {});
  await operator.connect();
  t.after(() => operator.destroy());

  const failures: readonly [string, () => unknown, () => unknown][] = [
    ['hangs', () => first.pause(), () => first.resume()],
    [
      'is out of memory',
      () => operator.configSet('maxmemory', '1'),
      () => operator.configSet('maxmemory', '0'),
    ],
    ['answers too late', () => proxy.slowDown(1_500), () => proxy.slowDown(0)],
  ];
  for (const [index, [name, fail, repair]] of failures.entries()) {
    await goOn();
    slowestMs = 0;
    await fail();
    await waitFor(`the log to say that Redis ${name}`, () => count('Redis unavailable') === index + 1);
    await goOn();
    await repair();
    await waitFor(
      `Redis, which ${name}, to be used again`,
      () => count('Redis available again') === index + 1,
      40_000,
    );
    t.diagnostic(`Redis ${name}: slowest request ${Math.round(slowestMs)} ms`);
    assert.ok(slowestMs < latencyLimitMs, `${name}: ${slowestMs} ms`);
  }

  // Slow but in time: each request waits for Redis, and no fallback happens.
  proxy.slowDown(200);
  await goOn();
  proxy.slowDown(0);
  assert.equal(count('Redis unavailable'), failures.length);

  // Killed permanently and replaced by an empty one.
  await first.stop();
  await waitFor('the loss to be logged', () => count('Redis unavailable') === failures.length + 1);
  await goOn();
  const second = await startRedis({ port: first.port });
  t.after(() => second?.stop());
  await waitFor(
    'the empty Redis to be used',
    () => count('Redis available again') === failures.length + 1,
    40_000,
  );
  await goOn();

  isLoaded = false;
  await Promise.all(load);
  const alarms = lines().filter(({ level, msg }) => level >= 40 && !msg.startsWith('Redis unavailable'));
  assert.deepEqual(alarms, []);
  await second?.stop();
  const stopping = performance.now();
  assert.equal((await server.stop()).code, 0);
  assert.ok(performance.now() - stopping < 10_000);
});
