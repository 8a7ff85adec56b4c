// processes: starts and stops Redis
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createClient } from 'redis';
import { unlimited } from '../../../../test/support/limits.ts';
import { startRedis, type TestRedisOptions } from '../../../../test/support/redis-server.ts';
import { createRateLimits } from '../rate-limits.ts';
import { productionTiming } from '../window-counter.ts';

/** A loopback port where nobody listens (discard, reserved). */
const nobody = 'redis://127.0.0.1:9';
const configured = { ...unlimited, address: 100 };
const timing = { ...productionTiming, answerLimitMs: 250, retryDelayMs: 50 };
const found = await startRedis();
await found?.stop();
const missing = found === null;

async function openRedis(t: TestContext, options: TestRedisOptions = {}) {
  const redis = await startRedis(options);
  assert.ok(redis);
  t.after(() => redis.stop());
  return redis;
}

async function openLimits(t: TestContext, redisUrl: string, own = timing) {
  const lines: string[] = [];
  const log = (level: string, message: string) => lines.push(`${level}: ${message}`);
  const limits = await createRateLimits({ configured, redisUrl, log }, own);
  t.after(() => limits.close());
  const remaining = async (address = 'a') => (await limits.admitAddress(address))?.remaining;
  return { limits, lines, remaining };
}

/** A connection to give commands to Redis itself. */
async function openOperator(t: TestContext, url: string) {
  const operator = createClient({ url }).on('error', () => {});
  await operator.connect();
  t.after(() => operator.destroy());
  return operator;
}

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 10_000;
  while (!(await condition())) {
    assert.ok(Date.now() < giveUpAt, `not within 10 s: ${condition}`);
    await sleep(10);
  }
}

const isBack = (lines: string[]) => () => lines.at(-1)?.startsWith('info: Redis available again') === true;

describe('rate limits while Redis is unavailable', { skip: missing }, () => {
  test('a Redis that dies is replaced by this process, with one error line, and taken up again when it returns', async (t) => {
    const first = await openRedis(t);
    const { lines, remaining } = await openLimits(t, first.url);
    assert.equal(await remaining(), 99);
    assert.equal(await remaining(), 98);
    await first.stop();

    const decisions = await Promise.all(Array.from({ length: 50 }, () => remaining()));
    assert.deepEqual(
      decisions,
      Array.from({ length: 50 }, (_, index) => 99 - index),
    );
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^error: Redis unavailable \(\w+\): .* per process/);

    await openRedis(t, { port: first.port });
    await eventually(isBack(lines));
    assert.equal(await remaining(), 99, 'the new Redis knows nothing yet');
    assert.equal(lines.length, 2);
  });

  test('its loss is logged even if no request comes', async (t) => {
    const redis = await openRedis(t);
    const { lines } = await openLimits(t, redis.url);
    await redis.stop();
    await eventually(() => lines.length === 1);
  });

  test('a Redis that hangs delays the requests in flight by the answer limit, and no request after them', async (t) => {
    const redis = await openRedis(t);
    const { lines, remaining } = await openLimits(t, redis.url);
    await remaining();
    redis.pause();
    t.after(() => redis.resume());

    const start = Date.now();
    await Promise.all(Array.from({ length: 50 }, () => remaining()));
    const inFlightMs = Date.now() - start;
    assert.ok(inFlightMs >= 240 && inFlightMs < 1_500, `${inFlightMs} ms`);
    for (let index = 0; index < 20; index++) await remaining();
    // Asking Redis again would take 250 ms each.
    assert.ok(Date.now() - start - inFlightMs < 2_000);
    assert.match(lines.join(), /^error: Redis unavailable \(NoAnswerInTime\)[^,]*$/);

    redis.resume();
    await eventually(isBack(lines));
  });

  test('a process that stood still does not take Redis for away', async (t) => {
    const redis = await openRedis(t);
    const { lines, remaining } = await openLimits(t, redis.url);
    const inFlight = Array.from({ length: 10 }, () => remaining());
    const end = Date.now() + 700;
    while (Date.now() < end);
    await Promise.all(inFlight);
    assert.deepEqual(lines, []);
    assert.equal(await remaining(), 89);
  });

  test('a Redis that appears after the start is taken up', async (t) => {
    const redis = await openRedis(t);
    await redis.stop();
    const { lines, remaining } = await openLimits(t, redis.url);
    assert.equal(await remaining(), 99);
    await openRedis(t, { port: redis.port });
    await eventually(isBack(lines));
    assert.equal(await remaining(), 99);
  });

  test('a Redis that hangs at the start does not hold it up for long', async (t) => {
    const redis = await openRedis(t);
    redis.pause();
    t.after(() => redis.resume());
    const { lines, remaining } = await openLimits(t, redis.url, { ...timing, connectLimitMs: 100 });
    assert.equal(await remaining(), 99);
    assert.equal(lines.length, 1);
    redis.resume();
    await eventually(isBack(lines));
  });

  test('a Redis that refuses writes is unavailable until it writes again, logged once and not at every attempt', async (t) => {
    const redis = await openRedis(t);
    const { lines, remaining } = await openLimits(t, redis.url);
    const operator = await openOperator(t, redis.url);
    const connectionsMade = async () =>
      Number(/total_connections_received:(\d+)/.exec(await operator.info('stats'))?.[1]);
    await operator.configSet('maxmemory', '1');
    assert.equal(await remaining(), 99);
    const before = await connectionsMade();
    await eventually(async () => (await connectionsMade()) >= before + 3);
    assert.equal(await remaining(), 98);
    assert.match(lines.join(), /^error: Redis unavailable \(OOM\)[^,]*$/);

    await operator.configSet('maxmemory', '0');
    await eventually(isBack(lines));
  });

  test('a Redis that became a replica is unavailable until it can be written to again', async (t) => {
    const redis = await openRedis(t);
    const { lines, remaining } = await openLimits(t, redis.url);
    const operator = await openOperator(t, redis.url);
    await operator.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
    assert.equal(await remaining(), 99);
    assert.match(lines.join(), /^error: Redis unavailable \(READONLY\)[^,]*$/);
    await operator.sendCommand(['REPLICAOF', 'NO', 'ONE']);
    await eventually(isBack(lines));
  });

  test('a Redis that comes and goes is asked less and less often', async (t) => {
    const redis = await openRedis(t);
    const { lines, remaining } = await openLimits(t, redis.url);
    const operator = await openOperator(t, redis.url);
    const pauses: number[] = [];
    for (let losses = 1; losses <= 5; losses += 1) {
      await operator.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      const start = performance.now();
      await eventually(() => lines.length === 2 * losses);
      pauses.push(performance.now() - start);
      assert.ok((await remaining()) !== undefined);
    }
    // 50 ms, doubled with each loss.
    assert.ok((pauses[4] as number) >= 750, pauses.join());
  });

  test('a password is used, and never told: not when it is wrong, not when the URL is not understood', async (t) => {
    const redis = await openRedis(t, { args: ['--requirepass', 'right-canary'] });
    const withPassword = (password: string) => redis.url.replace('//', `//:${password}@`);
    const right = await openLimits(t, withPassword('right-canary'));
    assert.equal(await right.remaining(), 99);
    const wrong = await openLimits(t, withPassword('wrong-canary'));
    assert.equal(await wrong.remaining(), 99);
    assert.match(wrong.lines.join(), /^error: Redis unavailable \(WRONGPASS\)/);
    assert.doesNotMatch([...right.lines, ...wrong.lines].join(), /canary/);
    for (const url of [
      'redis://:wrong-canary@h:x',
      'http://:wrong-canary@h',
      'redis://:wrong-canary@h/db',
      'canary',
    ]) {
      const error = await openLimits(t, url).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof TypeError);
      assert.doesNotMatch(inspect(error, { showHidden: true }), /canary/);
    }
  });
});

test('an unreachable Redis does not hold up the start', async (t) => {
  const { lines, remaining } = await openLimits(t, nobody);
  assert.equal(await remaining(), 99);
  assert.match(lines.join(), /^error: Redis unavailable \(ECONNREFUSED\)[^,]*$/);
});

test('counters in memory, and an unavailable Redis, do not keep the process alive', async () => {
  const module = JSON.stringify(new URL('../rate-limits.ts', import.meta.url).href);
  const program = `
    import { createRateLimits } from ${module};
    for (const redisUrl of [null, ${JSON.stringify(nobody)}]) {
      const limits = await createRateLimits({ configured: ${JSON.stringify(configured)}, redisUrl, log() {} });
      await limits.admitAddress('a');
    }
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const start = Date.now();
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.ok(Date.now() - start < 30_000, 'long before the window of 60 s is over');
});
