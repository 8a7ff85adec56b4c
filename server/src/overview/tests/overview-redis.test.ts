// processes: starts Redis
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createApiClient } from '../../../test/support/api-client.ts';
import { unlimited } from '../../../test/support/limits.ts';
import { startRedis } from '../../../test/support/redis-server.ts';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { AdminToken } from '../../access/authentication/authentication.ts';
import { createRateLimits } from '../../access/rate-limits/rate-limits.ts';
import { productionTiming } from '../../access/rate-limits/window-counter.ts';
import { createInternalApp } from '../../http/internal-app.ts';

const redis = await startRedis();

// [internal-178]
it('the overview says when Redis is unavailable, and when it is available again', {
  skip: redis === null,
}, async (t) => {
  if (redis === null) return;
  const { services } = await createTestApps();
  const configured = { ...unlimited, address: 100 };
  const timing = { ...productionTiming, retryDelayMs: 50 };
  const rateLimits = await createRateLimits({ configured, redisUrl: redis.url, log: () => {} }, timing);
  t.after(() => rateLimits.close());
  const app = createInternalApp({
    ...services,
    context: { ...services.context, rateLimits },
    adminToken: new AdminToken(testAdminToken),
    consoleAllowsHttp: false,
  });
  await app.ready();
  t.after(() => app.close());
  const admin = createApiClient(app, { prefix: '/internal/v1', token: testAdminToken });
  const isShown = async (state: string) => {
    await rateLimits.admitAddress('a');
    const { status, json } = await admin.get('/overview');
    assert.equal(status, 200);
    return json.redis === state ? true : undefined;
  };
  assert.ok(await isShown('available'));
  await redis.stop();
  await waitFor('Redis to be unavailable', () => isShown('unavailable'));
  const again = await startRedis({ port: redis.port });
  t.after(() => again?.stop());
  await waitFor('Redis to be available', () => isShown('available'));
});
