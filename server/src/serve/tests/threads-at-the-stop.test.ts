import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { createDatabase } from '../../../test/support/fresh-database.ts';
import { createHttpClient } from '../../../test/support/http-client.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { databaseUrl } from '../../../test/support/test-database.ts';
import { loadConfig } from '../../config.ts';
import { createLogger } from '../logger.ts';
import { startServer } from '../start-server.ts';

const adminToken = 'threads-admin-token-canary-5d1c07e2';

test('a server that is stopped while a thread reads a feed leaves no thread behind', async () => {
  const config = loadConfig(
    {
      DATABASE_URL: databaseUrl(await createDatabase()),
      PORT: '0',
      BRANDPORT_INTERNAL_PORT: '0',
      BRANDPORT_ADMIN_TOKEN: adminToken,
    },
    process.cwd(),
  );
  const server = await startServer(config, createLogger('info', logLines), new AbortController().signal);
  const alive = new Set<Worker>();
  const started = new Promise<void>((resolve) =>
    process.on('worker', (worker) => {
      alive.add(worker);
      worker.once('exit', () => alive.delete(worker));
      worker.once('online', () => resolve());
    }),
  );
  const admin = createHttpClient(`${server.internalUrl}/internal/v1`, adminToken, () => {});
  const { json: brand } = await admin.post('/brands', { name: 'Threads' });
  const { json: key } = await admin.post(`/brands/${brand.id}/keys`, {
    name: 'Feeds',
    scopes: ['catalog.stock:ingest'],
  });
  const lines = Array.from({ length: 100_000 }, (_, index) => ({
    sku: `${(index * 7_919) % 100_000}-${'x'.repeat(180)}`,
    location_code: 'y'.repeat(60),
    quantity: 1,
  }));
  const client = createHttpClient(`${server.clientUrl}/v1/client`, key.api_key, () => {});
  const answer = client
    .post('/catalog/stock/feeds', { source: 'erp', mode: 'snapshot', lines }, { 'idempotency-key': 'one' })
    .then(
      ({ status }) => status,
      () => 0,
    );
  await started;
  assert.equal(alive.size, 1);
  await server.stop(100);
  assert.equal(alive.size, 0, 'threads are alive after the stop');
  // It was not done before the stop.
  assert.notEqual(await answer, 202);
});
