import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { startSentinels } from '../support/redis-sentinels.ts';
import type { TestRedis } from '../support/redis-server.ts';
import { seedBrand, seedKey } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** Several times the answer limit of a second: a busy machine needs 5 s. */
const latencyLimitMs = 15_000;
/** Sentinels that did not agree on a leader try again after their `failover-timeout`. */
const sharedAgainLimitMs = 60_000;
const limit = 600;

/** Several servers of Redis, one of which counts the brand of the test. */
interface Redundant {
  readonly url: string;
  findMasterOf(brandId: number): Promise<TestRedis>;
  holdFailover(): Promise<void>;
  allowFailover(): Promise<void>;
}

const sentinels = await startSentinels();
const cluster = await startCluster();
after(() => Promise.all([sentinels?.stop(), cluster?.stop()]));
const database = await createDatabase();

// [platform-56]
test('Sentinels replace a killed master under load, and no request notices', {
  skip: sentinels === null,
}, (t) => {
  const redis = sentinels ?? assert.fail();
  return loseMaster(t, { ...redis, findMasterOf: () => redis.findMaster() });
});

// [platform-56]
test('a cluster replaces a killed master under load, and no request notices', {
  skip: cluster === null,
}, (t) => {
  const redis = cluster ?? assert.fail();
  const findMasterOf = (brandId: number) => redis.findMasterOf(`brandport:limit:{${brandId}}:x`);
  return loseMaster(t, { ...redis, findMasterOf });
});

async function loseMaster(t: TestContext, redis: Redundant): Promise<void> {
  const env = {
    DATABASE_URL: databaseUrl(database),
    BRANDPORT_DEMO: undefined,
    REDIS_URL: redis.url,
    BRANDPORT_LIMIT_CATALOG_READS: String(limit),
    BRANDPORT_LIMIT_CATALOG_BRAND: '0',
  };
  const servers = await Promise.all([startServerProcess({ env }), startServerProcess({ env })]);
  const [first] = servers;
  const { brandId, apiKey } = await seedBrand(first);
  const alarmsOf = (server: ServerProcess) =>
    logLinesOf(server.stderr()).filter(({ level, msg }) => level >= 40 || msg.startsWith('Redis'));
  const haveLogged = (text: string) =>
    servers.every((server) => alarmsOf(server).some(({ msg }) => msg.startsWith(text)));

  const before = await countAdmitted(servers, (await seedKey(first, brandId)).apiKey);
  assert.equal(before, limit, JSON.stringify(servers.map(alarmsOf)));

  const load = keepReading(servers, apiKey);
  await redis.holdFailover();
  await (await redis.findMasterOf(brandId)).stop();
  await waitFor('both processes to count for themselves', () => haveLogged('Redis unavailable'));
  assert.equal(await countAdmitted(servers, (await seedKey(first, brandId)).apiKey), servers.length * limit);
  const limits = await first.admin.get(`/brands/${brandId}/limits`);
  assert.equal(limits.json.counted_by, 'process');

  await redis.allowFailover();
  const allowedAt = performance.now();
  await waitFor(
    'both processes to count together',
    () => haveLogged('Redis available again'),
    sharedAgainLimitMs,
  );
  t.diagnostic(`shared again ${Math.round(performance.now() - allowedAt)} ms after the failover was allowed`);
  const admitted = await countAdmitted(servers, (await seedKey(first, brandId)).apiKey);
  assert.equal(admitted, limit, JSON.stringify(servers.map(alarmsOf)));

  const { slowestMs, refused } = await load.end();
  t.diagnostic(`slowest request ${Math.round(slowestMs)} ms`);
  assert.deepEqual(refused, []);
  assert.ok(slowestMs < latencyLimitMs, `${slowestMs} ms`);
  for (const server of servers) {
    const messages = alarmsOf(server).map(({ msg }) => msg.replace(/\(.*\)/, '(…)').replace(/\d+ s/, 'N s'));
    assert.deepEqual(messages, [
      'Redis unavailable (…): rate limits are counted per process',
      'Redis available again after N s: rate limits are shared through Redis',
    ]);
    assert.equal((await server.stop()).code, 0);
  }
}

/** Sends 1,500 reads of a new key at once, to the processes in turn. */
async function countAdmitted(servers: readonly ServerProcess[], apiKey: string): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: 1_500 }, async (_, at) => {
      const server = servers[at % servers.length] as ServerProcess;
      const { status } = await sendHttp(`${server.clientUrl}/v1/client/catalog/products`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      assert.ok(status === 200 || status === 429, String(status));
      return status;
    }),
  );
  return statuses.filter((status) => status === 200).length;
}

/** Reads all the time, on all processes, within the limit, until `end`. */
function keepReading(servers: readonly ServerProcess[], apiKey: string) {
  let slowestMs = 0;
  let isEnding = false;
  const refused: string[] = [];
  const loops = servers.map(async (server) => {
    while (!isEnding) {
      const start = performance.now();
      const { status, text } = await sendHttp(`${server.clientUrl}/v1/client/catalog/products`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      slowestMs = Math.max(slowestMs, performance.now() - start);
      if (status !== 200) refused.push(text);
      // Both together stay below 600 a minute.
      await sleep(250);
    }
  });
  return {
    end: async () => {
      isEnding = true;
      await Promise.all(loops);
      return { slowestMs, refused };
    },
  };
}
