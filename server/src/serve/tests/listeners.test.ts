import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sendRaw } from '../../../test/support/raw-http.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { Listeners } from '../listeners.ts';
import { connectionLimits } from '../open-files.ts';

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
