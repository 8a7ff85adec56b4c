// processes, alone: PostgreSQL is killed under a load of writes
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { sendHttp } from '../support/http-client.ts';
import { findPostgresPid } from '../support/postgres-process.ts';
import { startServerProcess } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

const unlimited = { BRANDPORT_LIMIT_CATALOG_WRITES: '0', BRANDPORT_LIMIT_CATALOG_BRAND: '0' };

test('the embedded PostgreSQL killed under a load of writes: 503 meanwhile, then all is well without a restart', async () => {
  const server = await startServerProcess({ env: unlimited });
  const readyz = async () => (await sendHttp(`${server.clientUrl}/readyz`)).status;
  const brand = (await server.admin.post('/brands', { name: 'Kept' })).json;
  const scopes = ['catalog.products:read', 'catalog.products:write'];
  const key = (await server.admin.post(`/brands/${brand.id}/keys`, { name: 'k', scopes })).json;
  const client = server.clientWith(key.api_key);
  assert.equal(await readyz(), 200);

  const statuses = new Map<number, number>();
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !isOver; n += 1) {
      const { status, json } = await client.create('/catalog/products', { sku: `W${writer}-${n}` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 201) acknowledged.push(json.data?.sku ?? json.sku);
      else {
        assert.equal(status, 503, JSON.stringify(json));
        assert.equal(json.code, 'service_unavailable');
      }
    }
  });
  await waitFor('some writes', () => acknowledged.length > 50);
  const lost = findPostgresPid(server.dataDir) as number;
  process.kill(lost, 'SIGKILL');
  await waitFor('not ready', async () => (await readyz()) === 503);
  await waitFor('ready again', async () => (await readyz()) === 200);
  const before = acknowledged.length;
  await waitFor('writes again', () => acknowledged.length > before + 50);
  isOver = true;
  await Promise.all(writers);
  assert.deepEqual([...statuses.keys()].sort(), [201, 503]);
  assert.notEqual(findPostgresPid(server.dataDir), lost);
  for (const sku of acknowledged) {
    const { status } = await client.create('/catalog/products', { sku });
    assert.equal(status, 409, `${sku} was acknowledged`);
  }
  assert.equal((await server.stop()).code, 0);
});
