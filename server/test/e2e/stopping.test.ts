import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { holdCatalogLock } from '../support/catalog-lock.ts';
import { connectToEmbedded } from '../support/embedded-connection.ts';
import { sendHttp } from '../support/http-client.ts';
import { findPostgresPid } from '../support/postgres-process.ts';
import { closeOf } from '../support/raw-http.ts';
import { seedBrand } from '../support/seed.ts';
import { type ServerProcess, spawnServer, startServerProcess } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

describe('stopping', { concurrency: 3 }, () => {
  // [internal-8]
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal} refuses new connections, finishes the request in flight, stops PostgreSQL and exits 0`, async () => {
      const server = await startServerProcess();
      const { client, brandId, apiKey } = await seedBrand(server);
      const lock = await holdCatalogLock(await connectToEmbedded(server.dataDir), brandId);
      const inFlight = client.create('/catalog/products', { sku: 'IN-FLIGHT' });
      await lock.untilWaitedFor();

      const signalledAt = performance.now();
      server.signal(signal);
      for (const url of [server.clientUrl, server.internalUrl]) await untilRefused(url);
      server.signal(signal); // an impatient second one changes nothing
      await lock.release();
      assert.equal((await inFlight).status, 201);
      assert.deepEqual(await endOf(server), { code: 0, signal: null });
      assert.ok(performance.now() - signalledAt < 10_000);
      assert.equal(findPostgresPid(server.dataDir), null);

      const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: server.dataDir } });
      const list = await next.clientWith(apiKey).get('/catalog/products');
      assert.deepEqual(
        list.json.data.map(({ sku }: { sku: string }) => sku),
        ['IN-FLIGHT'],
      );
    });

  test('connections that are kept alive do not hold up the end, idle before the signal or only after it', async (t) => {
    const server = await startServerProcess();
    const { brandId, apiKey } = await seedBrand(server);
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    for (const url of [server.clientUrl, server.internalUrl])
      await Promise.all([1, 2, 3].map(() => sendHttp(`${url}/healthz`, { agent })));
    const silent = connect(Number(new URL(server.clientUrl).port), '127.0.0.1').on('error', () => {});
    await once(silent, 'connect');

    const lock = await holdCatalogLock(await connectToEmbedded(server.dataDir), brandId);
    const busy = sendHttp(`${server.clientUrl}/v1/client/catalog/products`, {
      method: 'POST',
      body: { sku: 'BUSY' },
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'busy' },
      agent,
    });
    await lock.untilWaitedFor();
    server.signal('SIGTERM');
    await untilRefused(server.clientUrl);
    const releasedAt = performance.now();
    await lock.release();
    assert.equal((await busy).status, 201);
    assert.deepEqual(await endOf(server), { code: 0, signal: null });
    assert.ok(performance.now() - releasedAt < 5_000, 'no waiting for connections');
  });

  // [internal-8]
  test('requests that never end are cut, and the exit is in order within 10 s all the same', async () => {
    const server = await startServerProcess();
    const { client, brandId, apiKey } = await seedBrand(server);
    const lock = await holdCatalogLock(await connectToEmbedded(server.dataDir), brandId);
    const blocked = client.create('/catalog/products', { sku: 'BLOCKED' }).then(
      ({ status }) => status,
      (error) => error.code,
    );
    await lock.untilWaitedFor();
    const half = connect(Number(new URL(server.clientUrl).port), '127.0.0.1');
    half.on('error', () => {});
    half.write(
      `POST /v1/client/catalog/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: half\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"sku":',
    );
    const halfClosed = closeOf(half);

    const signalledAt = performance.now();
    server.signal('SIGTERM');
    assert.ok([503, 'ECONNRESET'].includes(await blocked));
    await halfClosed;
    assert.deepEqual(await endOf(server), { code: 0, signal: null });
    assert.ok(performance.now() - signalledAt < 10_000);
    assert.equal(findPostgresPid(server.dataDir), null);
    const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: server.dataDir } });
    assert.deepEqual((await next.clientWith(apiKey).get('/catalog/products?sku=BLOCKED')).json.data, []);
  });

  test('SIGTERM during the first start ends it in order, whenever it comes, and the next start works', async () => {
    const moments = ['creating the embedded database', 'starting PostgreSQL', 'database migrated'];
    const dataDirs: string[] = [];
    for (const moment of moments) {
      const server = await spawnServer();
      await waitFor(moment, () => server.stderr().includes(moment));
      const signalledAt = performance.now();
      server.signal('SIGTERM');
      assert.deepEqual(await endOf(server), { code: 0, signal: null });
      assert.ok(performance.now() - signalledAt < 10_000);
      assert.equal(server.stdout(), '', moment);
      assert.equal(findPostgresPid(server.dataDir), null, moment);
      dataDirs.push(server.dataDir);
    }
    for (const dataDir of dataDirs) {
      const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: dataDir } });
      assert.equal((await next.stop()).code, 0);
    }
  });

  test('SIGTERM while the database of DATABASE_URL is waited for ends the wait at once', async () => {
    const server = await spawnServer({ env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
    await waitFor('the wait', () => server.stderr().includes('waiting for the database'));
    const signalledAt = performance.now();
    server.signal('SIGTERM');
    assert.deepEqual(await endOf(server), { code: 0, signal: null });
    assert.ok(performance.now() - signalledAt < 3_000);
  });
});

async function endOf(server: { exit: ServerProcess['exit'] }) {
  const { code, signal } = await server.exit;
  return { code, signal };
}

async function untilRefused(url: string): Promise<void> {
  await waitFor(`${url} to refuse connections`, async () => {
    const error = await sendHttp(`${url}/healthz`).catch((refusal: NodeJS.ErrnoException) => refusal);
    return error instanceof Error && error.code === 'ECONNREFUSED';
  });
}
