import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { findFreePort } from '../support/free-port.ts';
import { seedBrand } from '../support/seed.ts';
import { startServerProcess } from '../support/server-process.ts';

const closed = await findFreePort();
const silent = createServer(() => {}).listen(0, '127.0.0.1');
await once(silent, 'listening');
after(() => silent.close());
const { port } = silent.address() as { port: number };

// [internal-8]
describe('an orderly stop writes the refusals of the last second', { concurrency: 2 }, () => {
  for (const [what, env] of Object.entries({
    'with all stores': {},
    'while the analytics store is unavailable': {
      BRANDPORT_ANALYTICS_URL: `postgresql://127.0.0.1:${closed}/a`,
    },
    'while the analytics store is silent': { BRANDPORT_ANALYTICS_URL: `postgresql://127.0.0.1:${port}/a` },
    'while ClickHouse is unavailable': { BRANDPORT_CLICKHOUSE_URL: `http://127.0.0.1:${closed}/a` },
    'while Redis is unavailable': { REDIS_URL: `redis://127.0.0.1:${closed}` },
  }))
    it(what, async () => {
      const server = await startServerProcess({ env });
      const { client, brandId } = await seedBrand(server);
      for (let page = 1; page <= 5; page += 1)
        assert.equal((await client.get(`/catalog/products?page=x${page}`)).status, 422);
      server.signal('SIGTERM');
      assert.deepEqual(await server.exit, { code: 0, signal: null }, server.stderr());
      const next = await startServerProcess({ env: { BRANDPORT_DATA_DIR: server.dataDir } });
      const { json } = await next.admin.get(`/brands/${brandId}/refusals`);
      assert.deepEqual(
        json.data.map(({ status, fields }: { status: number; fields: string[] }) => [status, fields]),
        Array.from({ length: 5 }, () => [422, ['page']]),
      );
    });
});
