import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { newSimple } from '../../catalog/stock/tests/stock.ts';

const apps = await createTestApps({ poolSize: 10 });

async function retries(): Promise<number> {
  const text = await apps.metrics.registry.metrics();
  return Number(/^brandport_transaction_retries_total (\d+)/m.exec(text)?.[1]);
}

/** Waits until another session waits for a lock of this database. */
function isWaitedFor(): Promise<unknown> {
  return waitFor('a session that waits for a lock', async () => {
    const waiting = `datname = current_database() and wait_event_type = 'Lock'`;
    return (await apps.sql(`select 1 from pg_stat_activity where ${waiting}`)).length > 0;
  });
}

// A session that ignores the brand's lock: `psql` in the hand of a person, or a restore. A shared turn waits 50 ms for it.
for (const heldMs of [0, 200])
  it(`reads again when a constraint shows that another session took the SKU, and held it for ${heldMs} ms`, async () => {
    const { client, brandId } = await apps.newBrand();
    const { tu_id } = await newSimple(client);
    const before = await retries();
    const holder = await apps.database.pool.connect();
    await holder.query('begin');
    await holder.query(
      `insert into sku_claims (brand_id, sku, kind, tu_id) values ($1, 'TAKEN', 'product', $2)`,
      [brandId, tu_id],
    );
    await holder.query(`update products set sku = 'TAKEN' where tu_id = $1`, [tu_id]);
    const creation = client.create('/catalog/products', { sku: 'TAKEN' });
    await isWaitedFor();
    await holder.query('select pg_sleep($1)', [heldMs / 1000]);
    await holder.query('commit');
    holder.release();
    const { status, json } = await creation;
    assert.deepEqual([status, json.code], [409, 'duplicate_sku']);
    assert.ok([1, 2].includes((await retries()) - before));
  });
