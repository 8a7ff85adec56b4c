// nightly: thirty seconds of random terminations under load
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ApiResponse } from '../support/api-client.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { sendHttp } from '../support/http-client.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const seconds = Number(process.env['BRANDPORT_TEST_TERMINATION_SECONDS'] ?? 30);
const everyMs = 30;
const writers = 8;
test('connections terminated at random under load: the process lives, and every write is there exactly once', async (t) => {
  const address = await createDatabase();
  const server = await startServerProcess({
    env: { ...unlimitedCatalog, DATABASE_URL: databaseUrl(address) },
  });
  const brand = (await server.admin.post('/brands', { name: 'Terminated' })).json;
  const scopes = ['catalog.products:read', 'catalog.products:write', 'catalog.stock:write'];
  const { api_key } = (await server.admin.post(`/brands/${brand.id}/keys`, { name: 'k', scopes })).json;

  let isOver = false;
  const statuses = new Map<number, number>();
  const send = async (method: string, path: string, key?: string, body?: object): Promise<ApiResponse> => {
    const response = await sendHttp(`${server.clientUrl}/v1/client/catalog${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${api_key}`, ...(key !== undefined && { 'idempotency-key': key }) },
    });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return response;
  };

  /** Sends until the write is acknowledged, as an integration does. */
  const write = async (path: string, key: string, body: object): Promise<ApiResponse> => {
    for (;;) {
      const response = await send('POST', path, key, body);
      if (response.status < 300) return response;
      if (response.status === 503) assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      else assert.equal(response.json.code, 'idempotency_conflict', response.text);
      await sleep(5);
    }
  };

  const skus: string[] = [];
  const storm = Array.from({ length: writers }, async (_, writer) => {
    for (let n = 0; !isOver; n += 1) {
      const sku = `W${writer}-${n}`;
      const created = await write('/products', `create-${sku}`, { sku });
      skus.push(sku);
      await write(`/products/${created.json.tu_id}/stock/adjust`, `adjust-${sku}`, { quantity: 7 });
    }
  });
  const readers = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const { status, text } = await send('GET', '/products?per_page=10');
      assert.ok(status === 200 || status === 503, text);
    }
  });

  const terminator = new pg.Client({ ...address, application_name: 'terminator' });
  await terminator.connect();
  let terminated = 0;
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(everyMs)) {
    const { rowCount } = await terminator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       order by random() limit 1`,
    );
    terminated += rowCount ?? 0;
  }
  await terminator.end();
  isOver = true;
  await Promise.all([...storm, ...readers]);
  t.diagnostic(`${terminated} terminated, ${skus.length} products, ${JSON.stringify([...statuses])}`);

  assert.ok(terminated > seconds * 5, `${terminated} connections were terminated`);
  // How many more depends on the machine: a busy one opens connections hardly faster than they are terminated.
  assert.ok(skus.length >= writers, `${skus.length} products were made`);
  await waitFor('/readyz', async () => (await sendHttp(`${server.clientUrl}/readyz`)).status === 200);
  const products = await runSql<{ sku: string; movements: number; quantity: number }>(
    address,
    `select p.sku, (select count(*)::integer from stock_movements m where m.product_id = p.id) as movements,
       (select sum(l.quantity)::integer from stock_levels l where l.product_id = p.id) as quantity
     from products p`,
  );
  assert.deepEqual(products.map(({ sku }) => sku).sort(), skus.toSorted());
  for (const { sku, movements, quantity } of products)
    assert.deepEqual([sku, movements, quantity], [sku, 1, 7]);
  assert.equal((await server.stop()).code, 0);
});
