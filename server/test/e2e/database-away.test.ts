import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import type { ApiResponse } from '../support/api-client.ts';
import { holdCatalogLock } from '../support/catalog-lock.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { seedBrand } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { type ServerProcess, spawnServer, startServerProcess } from '../support/server-process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait-for.ts';

/** The limits of the connection options, with room for a busy machine. A client never waits longer. */
const shortLimitMs = 12_000;
/** The limit for a client whose statement is running when the database freezes. */
const longLimitMs = 28_000;

describe('the database of DATABASE_URL', { concurrency: true }, () => {
  // [platform-20]
  test('down: every request is answered 503 at once, and served again when it is back, without a restart', async () => {
    const { proxy, server } = await serverBehindProxy();
    const { client, apiKey } = await seedBrand(server);
    assert.deepEqual(await databaseGauges(server), { up: '1', writable: '1' });
    await proxy.cut();
    for (const round of [1, 2]) {
      assert.equal((await sendHttp(`${server.clientUrl}/healthz`)).status, 200, `round ${round}`);
      assert.deepEqual(await databaseGauges(server), { up: '0', writable: 'nan' });
      for (const url of [server.clientUrl, server.internalUrl])
        assert.equal((await sendHttp(`${url}/readyz`)).status, 503);
      const answers = await Promise.all([
        timed(client.get('/catalog/products')),
        timed(client.create('/catalog/products', { sku: 'A' })),
        timed(server.admin.get('/brands')),
        timed(server.admin.post('/brands', { name: 'B' })),
      ]);
      for (const { response, ms } of answers) {
        assertUnavailable(response);
        assert.ok(ms < 3_000, `${ms} ms`);
      }
      // Errors that need no database are the same as always.
      assert.equal((await sendHttp(`${server.clientUrl}/v1/unknown`)).status, 404);
      assert.equal((await sendHttp(`${server.clientUrl}/v1/client/catalog/products`)).status, 401);
    }
    await proxy.restore();
    await untilReady(server);
    assert.deepEqual(await databaseGauges(server), { up: '1', writable: '1' });
    assert.equal((await server.clientWith(apiKey).create('/catalog/products', { sku: 'A' })).status, 201);
    assert.equal((await server.stop()).code, 0);
  });

  test('frozen: nobody hangs for longer than the limits, and all is served again when it thaws', async () => {
    const { proxy, server, direct } = await serverBehindProxy();
    const { client, brandId, apiKey } = await seedBrand(server);
    const inFlight = { sku: 'IN-FLIGHT' };
    const write = () =>
      sendHttp(`${server.clientUrl}/v1/client/catalog/products`, {
        method: 'POST',
        body: inFlight,
        headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'in-flight' },
      });
    const lock = await lockCatalog(direct, brandId);
    const blocked = timed(write());
    await lock.untilWaitedFor();
    proxy.hang();
    await lock.release();
    const onPool = timed(server.admin.get('/brands'));

    const ready = await timed(sendHttp(`${server.clientUrl}/readyz`));
    assert.equal(ready.response.status, 503);
    assert.deepEqual(await databaseGauges(server), { up: '0', writable: 'nan' });
    assert.ok(ready.ms < 4_000, `/readyz took ${ready.ms} ms`);
    // The first round was in progress when the database froze, the second starts later.
    for (const round of [1, 2]) {
      const answers = await Promise.all([
        timed(client.get('/catalog/products')),
        timed(client.create('/catalog/products', { sku: `NEW-${round}` })),
      ]);
      for (const { response, ms } of answers) {
        assertUnavailable(response);
        assert.ok(ms < shortLimitMs, `${ms} ms in round ${round}`);
      }
    }
    for (const { response, ms } of await Promise.all([blocked, onPool])) {
      assertUnavailable(response);
      assert.ok(ms < longLimitMs, `${ms} ms`);
    }

    await proxy.restore();
    await untilReady(server);
    assert.equal((await write()).status, 201);
    const list = await client.get('/catalog/products');
    assert.equal(list.json.meta.total, 1, 'what was not acknowledged was done once, by its retry');
    const alarms = logLinesOf(server.stderr()).filter(({ level }) => level >= 60);
    assert.deepEqual(alarms, []);
    assert.equal((await server.stop()).code, 0);
  });

  test('frozen at SIGTERM: the server is gone in time all the same, and in order', async () => {
    const { proxy, server } = await serverBehindProxy();
    const { client } = await seedBrand(server);
    proxy.hang();
    const asked = client.get('/catalog/products').catch(() => null);
    await waitFor(
      'the request to hang',
      async () => (await sendHttp(`${server.clientUrl}/readyz`)).status === 503,
    );
    const signalledAt = performance.now();
    server.signal('SIGTERM');
    const { code, signal } = await server.exit;
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
    assert.ok(performance.now() - signalledAt < 10_000);
    await asked;
  });

  test('a lock that somebody forgot ends in 503, and the writes of other brands do not notice', async () => {
    const { server, direct } = await serverBehindProxy();
    const blocked = await seedBrand(server, 'Blocked');
    const free = await seedBrand(server, 'Free');
    const lock = await lockCatalog(direct, blocked.brandId);
    const waiting = timed(blocked.client.create('/catalog/products', { sku: 'WAITS' }));
    await lock.untilWaitedFor();
    assert.equal((await free.client.create('/catalog/products', { sku: 'GOES' })).status, 201);
    assert.equal((await blocked.client.get('/catalog/products')).status, 200);
    const { response, ms } = await waiting;
    assertUnavailable(response);
    assert.ok(ms < 15_000, `${ms} ms`);
    await lock.release();
    assert.equal((await blocked.client.create('/catalog/products', { sku: 'WAITS' })).status, 201);
  });

  test('away at the start: the start waits for it', async () => {
    const { proxy, url } = await databaseBehindProxy();
    await proxy.cut();
    const server = await spawnServer({ env: { DATABASE_URL: url } });
    await waitFor('the wait', () => server.stderr().includes('waiting for the database'));
    await proxy.restore();
    await waitFor('the ready line', () => server.stdout().includes('"ready":true'));
  });
});

async function databaseBehindProxy() {
  const direct = await createDatabase();
  const proxy = await startTcpProxy(direct);
  const { user, password, database } = direct;
  return {
    direct,
    proxy,
    url: `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}/${database}`,
  };
}

async function serverBehindProxy() {
  const { direct, proxy, url } = await databaseBehindProxy();
  return { direct, proxy, server: await startServerProcess({ env: { DATABASE_URL: url } }) };
}

async function timed<T>(answer: Promise<T>): Promise<{ response: T; ms: number }> {
  const startedAt = performance.now();
  const response = await answer;
  return { response, ms: Math.round(performance.now() - startedAt) };
}

function assertUnavailable({ status, json, headers }: ApiResponse): void {
  assert.equal(status, 503, JSON.stringify(json));
  assert.equal(json.code, 'service_unavailable');
  assert.equal(typeof json.message, 'string');
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal(typeof headers['x-request-id'], 'string');
}

async function untilReady(server: ServerProcess): Promise<void> {
  await waitFor('/readyz', async () => (await sendHttp(`${server.clientUrl}/readyz`)).status === 200);
}

/** On a connection that bypasses the proxy. */
async function lockCatalog(address: pg.ClientConfig, brandId: number) {
  const connection = new pg.Client(address);
  await connection.connect();
  return holdCatalogLock(connection, brandId);
}

async function databaseGauges({ internalUrl }: ServerProcess) {
  const { text } = await sendHttp(`${internalUrl}/metrics`);
  const of = (name: string) =>
    text.match(new RegExp(`^brandport_database_${name} (\\S+)$`, 'm'))?.[1]?.toLowerCase();
  return { up: of('up'), writable: of('writable') };
}
