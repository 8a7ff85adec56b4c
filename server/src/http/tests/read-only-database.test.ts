import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { assertRefused, counterAt } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const products = '/catalog/products';

const readyz = async () => {
  const { statusCode, body } = await apps.clientApp.inject({ url: '/readyz' });
  return [statusCode, JSON.parse(body).status];
};

/** Simulates a failover to a standby, for all sessions of the apps, including current ones. */
async function switchTo(readOnly: 'on' | 'off'): Promise<void> {
  const operator = new pg.Client(apps.address);
  await operator.connect();
  await operator.query('set default_transaction_read_only = off');
  await operator.query(
    `alter database ${apps.address.database} set default_transaction_read_only = ${readOnly}`,
  );
  await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await operator.end();
}

it('a read-only database serves reads, refuses writes by its name, and is written again without anybody asking', async () => {
  assert.deepEqual(await readyz(), [200, 'ready']);
  const { json } = await client.create(products, { sku: 'BEFORE' });
  const refusals = () =>
    counterAt(apps.metrics, 'brandport_database_refusals_total', { reason: 'read_only' });
  const before = (await refusals()) ?? 0;
  await switchTo('on');

  // Nothing is written meanwhile.
  await waitFor('/readyz to be red', async () => (await readyz())[0] === 503, 3_000);
  assert.deepEqual(await readyz(), [503, 'database_read_only']);
  const write = () => client.post(products, { sku: 'DURING' }, { 'idempotency-key': 'during' });
  const refused = await write();
  assertRefused(refused, 'service_unavailable');
  assert.match(refused.json.message, /read-only/);
  assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.equal((await client.get(`${products}/${json.tu_id}`)).status, 200);
  assert.equal((await client.get(products)).status, 200);
  assert.deepEqual(await readyz(), [503, 'database_read_only']);
  assert.ok(((await refusals()) ?? 0) > before);

  await switchTo('off');
  await waitFor('/readyz to be green', async () => (await readyz())[0] === 200);
  assert.equal((await write()).status, 201);
  assert.equal((await client.get(products)).json.meta.total, 2);
});
