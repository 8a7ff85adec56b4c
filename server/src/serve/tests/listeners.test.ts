import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RawConnection } from '../../../test/support/raw-connection.ts';
import { sendRaw } from '../../../test/support/raw-http.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { connectionLimits, Listeners } from '../listeners.ts';

const apps = await createTestApps();
const logged: string[] = [];
const listeners = new Listeners({
  limits: connectionLimits,
  metrics: apps.metrics,
  log: (level, message) => logged.push(`${level}: ${message}`),
});

it('a listener named localhost is one server, with all settings; a failed accept does not end the process', async () => {
  const address = { host: 'localhost', port: 0 };
  const url = await listeners.open('client', apps.clientApp, address, ['HOST', 'PORT']);
  assert.match(url, /^http:\/\/localhost:\d+$/);
  assert.equal(apps.clientApp.addresses().length, 1);
  for (const bytes of ['GET /healthz HTTP/1.1\r\n\r\n', 'NONSENSE\r\n\r\n'])
    assert.match(await sendRaw(url, bytes), /"code":"bad_request"/);
  apps.clientApp.server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  assert.deepEqual(logged, ['error: connection not accepted: accept EMFILE']);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  await listeners.close(1_000);
});

it('a request that arrives on an idle connection after the stop is served, and the connection ends with it', async () => {
  const own = await createTestApps();
  const closing = new Listeners({ limits: connectionLimits, metrics: own.metrics, log: () => {} });
  const url = await closing.open('client', own.clientApp, { host: '127.0.0.1', port: 0 }, ['HOST', 'PORT']);
  const port = Number(new URL(url).port);
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const [used, idle] = [new RawConnection(port), new RawConnection(port)];
  for (const connection of [used, idle]) {
    connection.write(request);
    assert.equal((await connection.response()).status, 200);
  }
  const start = performance.now();
  const closed = closing.close(6_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  used.write(request);
  const answer = await used.response();
  assert.deepEqual([answer.status, answer.headers['connection']], [200, 'close']);
  await used.closed();
  await idle.closed();
  await closed;
  const tookMs = performance.now() - start;
  // After the idle connections were drained, and before those that are left would have been aborted.
  assert.ok(tookMs > 900 && tookMs < 5_900, `${tookMs} ms`);
});

it('a listener without connections closes at once', async () => {
  const own = await createTestApps();
  const closing = new Listeners({ limits: connectionLimits, metrics: own.metrics, log: () => {} });
  await closing.open('client', own.clientApp, { host: '127.0.0.1', port: 0 }, ['HOST', 'PORT']);
  const start = performance.now();
  await closing.close(6_000);
  // Without the second for idle connections.
  assert.ok(performance.now() - start < 1_000);
});
