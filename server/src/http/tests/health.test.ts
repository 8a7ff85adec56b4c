import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApiClient } from '../../../test/support/api-client.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps({ limits: { address: 1 } });
const listeners = {
  client: createApiClient(apps.clientApp, { prefix: '', token: null }),
  internal: createApiClient(apps.internalApp, { prefix: '', token: null }),
};

for (const [name, client] of Object.entries(listeners))
  describe(`the probes of the ${name} listener`, () => {
    // [internal-3]
    it('need no key, answer GET and HEAD, and count against no limit', async () => {
      for (let i = 0; i < 5; i += 1) {
        const health = await client.get('/healthz');
        assert.deepEqual([health.status, health.json], [200, { status: 'ok' }]);
        const ready = await client.get('/readyz');
        assert.deepEqual([ready.status, ready.json], [200, { status: 'ready' }]);
        assert.equal(health.headers['x-ratelimit-limit'], undefined);
        for (const path of ['/healthz', '/readyz']) {
          const head = await client.head(path);
          assert.deepEqual([head.status, head.text], [200, '']);
        }
      }
    });
  });

describe('the metrics', () => {
  // [internal-3]
  it('are shown on the internal listener without a token, and nowhere else', async () => {
    const shown = await listeners.internal.get('/metrics');
    assert.equal(shown.status, 200);
    assert.match(shown.headers['content-type'] ?? '', /^text\/plain/);
    assert.match(
      shown.text,
      /brandport_http_requests_total\{listener="client",method="GET",route="\/healthz",status="200"\} 5/,
    );
    assert.equal((await listeners.client.get('/metrics')).status, 404);
  });
});
