import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { registerCanary } from '../support/canaries.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { startRedis } from '../support/redis-server.ts';
import { seedBrand, seedKey } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const processes = 4;
const database = await createDatabase();
const redisPassword = 'redis-password-canary-b6e0';
registerCanary(redisPassword);
const redis = await startRedis({ args: ['--requirepass', redisPassword] });
after(() => redis?.stop());
const env = {
  DATABASE_URL: databaseUrl(database),
  BRANDPORT_DEMO: undefined,
  BRANDPORT_LIMIT_CATALOG_BRAND: '0',
  ...(redis !== null && { REDIS_URL: `redis://:${redisPassword}@127.0.0.1:${redis.port}` }),
};

// All start concurrently for the first time, on an empty database.
const servers: readonly ServerProcess[] = await Promise.all(
  Array.from({ length: processes }, () => startServerProcess({ env })),
);
const [first, ...others] = servers as [ServerProcess, ...ServerProcess[]];

// [internal-15]
test('simultaneous first starts on one empty database migrate it once and without an error', async () => {
  const migrated = servers.flatMap((server) =>
    logLinesOf(server.stderr()).filter(({ msg }) => /^database migrated/.test(msg)),
  );
  assert.equal(migrated.length, 1);
  for (const server of servers) {
    assert.equal((await sendHttp(`${server.clientUrl}/readyz`)).status, 200);
    const alarms = logLinesOf(server.stderr()).filter(({ level }) => level >= 40);
    // On a slow machine the others report that they wait for the one that migrates.
    const isWait = ({ msg }: { msg?: string }) => /^waiting for a lock/.test(msg ?? '');
    assert.deepEqual(
      alarms.filter((line) => !isWait(line)),
      [],
    );
  }
  const [row] = await runSql(
    database,
    'select count(*)::int as all, count(distinct name)::int as names from schema_migrations',
  );
  assert.ok(row?.['all'] > 0);
  assert.equal(row?.['all'], row?.['names']);
});

test('with DATABASE_URL no demonstration is made', async () => {
  assert.deepEqual((await first.admin.get('/brands')).json.data, []);
  for (const server of servers) assert.doesNotMatch(server.stderr(), /demo brand created/);
});

// [platform-4]
test('a key revoked, rotated or deleted through one process is refused by the very next request on any other', async () => {
  const { brandId } = await seedBrand(first);
  for (const end of ['revoke', 'rotate', 'delete'] as const) {
    for (const [at, server] of others.entries()) {
      const { keyId, apiKey } = await seedKey(first, brandId);
      const url = `${server.clientUrl}/v1/client/catalog/products`;
      const headers = { authorization: `Bearer ${apiKey}` };
      // Used on this process often enough to be in any cache.
      for (let n = 0; n < 5; n += 1) assert.equal((await sendHttp(url, { headers })).status, 200);
      const through = others[(at + 1) % others.length] as ServerProcess;
      const { status } =
        end === 'delete'
          ? await through.admin.delete(`/keys/${keyId}`)
          : await through.admin.post(`/keys/${keyId}/${end}`);
      assert.ok(status < 300, `${end}: ${status}`);
      assert.equal((await sendHttp(url, { headers })).status, 401, end);
    }
  }
});

test('four processes on one Redis admit exactly 300 of 1,000 parallel reads', {
  skip: redis === null,
}, async () => {
  const { brandId } = await seedBrand(first);
  const { apiKey } = await seedKey(first, brandId);
  const headers = { authorization: `Bearer ${apiKey}` };
  const responses = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      sendHttp(`${(servers[n % processes] as ServerProcess).clientUrl}/v1/client/catalog/products`, {
        headers,
      }),
    ),
  );
  const away = servers
    .filter((server) => server.stderr().includes('Redis unavailable'))
    .map(({ pid }) => pid);
  assert.deepEqual(away, [], 'Redis answered all the time');
  const count = (status: number) => responses.filter((response) => response.status === status).length;
  assert.deepEqual([count(200), count(429)], [300, 700]);
  const remaining = responses
    .filter(({ status }) => status === 200)
    .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  assert.deepEqual(
    remaining.sort((a, b) => b - a),
    Array.from({ length: 300 }, (_, n) => 299 - n),
  );
});

test('the processes stop orderly, one after the other, while the others continue', async () => {
  for (const server of servers) {
    assert.equal((await sendHttp(`${server.clientUrl}/readyz`)).status, 200);
    assert.equal((await server.stop()).code, 0);
  }
});
