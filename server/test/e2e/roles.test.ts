import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PgBoss } from 'pg-boss';
import { createDatabase } from '../support/fresh-database.ts';
import { createHttpClient, sendHttp } from '../support/http-client.ts';
import { seedBrand } from '../support/seed.ts';
import { logLinesOf } from '../support/server-output.ts';
import { processAdminToken, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const database = await createDatabase();
const env = { DATABASE_URL: databaseUrl(database) };
const api = await startServerProcess({ env: { ...env, BRANDPORT_ROLE: 'api' } });
const worker = await startServerProcess({ env: { ...env, BRANDPORT_ROLE: 'worker' } });

test('api and worker answer the same probes on both listeners, and the metrics on the internal one', async () => {
  for (const server of [api, worker]) {
    for (const url of [server.clientUrl, server.internalUrl])
      for (const path of ['/healthz', '/readyz']) assert.equal((await sendHttp(url + path)).status, 200);
    const metrics = await sendHttp(`${server.internalUrl}/metrics`);
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /^brandport_pool_connections\{/m);
    assert.equal((await sendHttp(`${server.clientUrl}/metrics`)).status, 404);
  }
});

// [internal-12]
test('a worker serves nothing else: keys and the admin token open nothing, every path is unknown', async () => {
  const { client, apiKey } = await seedBrand(api);
  assert.equal((await client.get('/catalog/products')).status, 200);
  const answers = [
    await createHttpClient(`${worker.clientUrl}/v1/client`, apiKey).get('/catalog/products'),
    await createHttpClient(worker.internalUrl, processAdminToken).get('/internal/v1/brands'),
    await sendHttp(`${worker.clientUrl}/openapi.json`),
  ];
  for (const { status, json } of answers) assert.deepEqual([status, json.code], [404, 'not_found']);
});

// [internal-12]
test('jobs are run by the worker and never by the api', async () => {
  const { host, port, user, password, database: name } = database;
  const queue = new PgBoss({ host, port, user, password, database: name, schedule: false, supervise: false });
  await queue.start();
  const sent = 5;
  for (let n = 0; n < sent; n += 1) await queue.send('purge-idempotency-records', { n });
  await queue.stop();
  const done = (server: ServerProcess) =>
    logLinesOf(server.stderr()).filter(({ msg }) => msg === 'job completed').length;
  await waitFor('the jobs', () => done(worker) + done(api) >= sent, 40_000);
  assert.equal(done(api), 0);
});
