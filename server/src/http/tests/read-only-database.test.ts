import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, counterAt } from '../../../test/support/assert-refused.ts';
import { runSql } from '../../../test/support/fresh-database.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const apps = await createTestApps();
const { client } = await apps.newBrand();
const products = '/catalog/products';

const readyz = async () => {
  const { statusCode, body } = await apps.clientApp.inject({ url: '/readyz' });
  return [statusCode, JSON.parse(body).status];
};

/** Lets the server refuse writes as one does that is led to a standby, or no longer. */
async function switchTo(readOnly: 'on' | 'off'): Promise<void> {
  await runSql(
    apps.address,
    readOnly === 'off'
      ? 'drop function refuse_writes cascade'
      : `create function refuse_writes() returns trigger language plpgsql as
           $$ begin raise 'cannot execute this in a read-only transaction' using errcode = '25006'; end $$;
         create trigger refuse_writes before insert on products execute function refuse_writes();
         create trigger refuse_writes before truncate on write_probe execute function refuse_writes()`,
  );
}

it('a read-only database serves reads, refuses writes by its name, and is written again without anybody asking', async () => {
  assert.deepEqual(await readyz(), [200, 'ready']);
  const { json } = await client.create(products, { sku: 'BEFORE' });
  const refusals = () =>
    counterAt(apps.metrics, 'brandport_database_refusals_total', { reason: 'read_only' });
  const before = (await refusals()) ?? 0;
  await switchTo('on');
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

it('a setting of the database that makes transactions read-only is not obeyed', async () => {
  await runSql(
    apps.address,
    `alter database ${apps.address.database} set default_transaction_read_only = on`,
  );
  await runSql(
    apps.address,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await waitFor('a write', async () => (await client.create(products, { sku: 'AFTER' })).status === 201);
  assert.deepEqual(await readyz(), [200, 'ready']);
});
