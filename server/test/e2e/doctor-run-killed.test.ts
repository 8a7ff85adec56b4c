// nightly: waits until a lost worker is noticed
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { startServerProcess } from '../support/server-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

// [internal-140] [D71]
describe('a run of the doctor whose worker is killed', () => {
  test('becomes failed and does not block the next one', async () => {
    const database = await createTestDatabase();
    const url = databaseUrl(database.address as Parameters<typeof databaseUrl>[0]);
    const start = () => startServerProcess({ env: { DATABASE_URL: url } });
    const first = await start();
    await first.admin.post('/brands', { name: 'A' });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table sku_claims in access exclusive mode');
    const { json: run } = await first.admin.post('/doctor-runs');
    const stateOf = async () =>
      (await database.sql('select state::text as state from pgboss.job where id = $1', [run.id]))[0]?.[
        'state'
      ];
    await waitFor('the run to start', async () => (await stateOf()) === 'active', 30_000);
    await first.kill9();
    await holder.end();

    const second = await start();
    assert.equal(await stateOf(), 'active');
    // As if a minute without heartbeats had passed; the queues are checked once a minute.
    await database.sql(`update pgboss.job set heartbeat_on = now() - interval '2 minutes' where id = $1`, [
      run.id,
    ]);
    const latest = async () => (await second.admin.get('/doctor-runs')).json.data;
    const [failed] = await waitFor(
      'the lost run to fail',
      async () => {
        const runs = await latest();
        return runs[0].state === 'failed' ? runs : null;
      },
      150_000,
    );
    assert.deepEqual([failed.id, failed.found], [run.id, null]);
    const { json: next } = await second.admin.post('/doctor-runs');
    assert.notEqual(next.id, run.id);
    const [done] = await waitFor(
      'the next run to end',
      async () => {
        const runs = await latest();
        return runs[0].state === 'completed' ? runs : null;
      },
      60_000,
    );
    assert.deepEqual([done.id, done.found], [next.id, 0]);
    assert.equal((await second.stop()).code, 0);
  });
});
