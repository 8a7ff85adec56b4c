import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterAt } from '../../../test/support/assert-refused.ts';
import { logLines } from '../../../test/support/log-capture.ts';
import { exchange, listenOn } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps();
const { apiKey, brandId, keyId } = await apps.newBrand();
const port = await listenOn(apps.clientApp);
const canary = 'canary-3b9f';
const catalog = '/v1/client/catalog';

const requests = {
  [`${catalog}/status`]: { path: `${catalog}/status?x=${canary}`, status: 200 },
  [`${catalog}/products`]: {
    method: 'POST',
    path: `${catalog}/products`,
    body: `{"sku": 5, "title": "${canary}"}`,
    status: 422,
  },
  [`${catalog}/products/:tuId`]: { path: `${catalog}/products/${canary}`, status: 404 },
  '*': { path: `/${canary}`, status: 404 },
  '(unknown)': { path: `/${canary}%zz`, status: 404 },
};

describe('a request', () => {
  for (const [route, { status, ...request }] of Object.entries(requests))
    it(`to ${route} is logged and counted once, by its route, without what it carried`, async () => {
      const method = 'method' in request ? request.method : 'GET';
      const counted = () =>
        counterAt(apps.metrics, 'brandport_http_requests_total', {
          listener: 'client',
          method,
          route,
          status,
        });
      const before = await counted();
      logLines.take();
      const { headers } = await exchange(port, {
        ...request,
        headers: [
          ['Authorization', `Bearer ${apiKey}`],
          ['Idempotency-Key', canary],
          ['Content-Type', 'application/json'],
          ['X-Secret', canary],
        ],
      });
      const lines = logLines.take();
      const line = JSON.parse(lines.find((text) => text.includes(headers['x-request-id'] ?? '?')) ?? '{}');
      assert.equal(lines.length, 1);
      assert.partialDeepStrictEqual(line, { level: 30, msg: 'request', method, route, status });
      assert.ok(line.ms >= 0);
      const isKnown = route.startsWith(catalog);
      assert.deepEqual([line.brand_id, line.key_id], isKnown ? [brandId, keyId] : [undefined, undefined]);
      assert.ok(!lines.join('').includes(canary) && !lines.join('').includes(apiKey));
      assert.equal(await counted(), before + 1);
    });
});
