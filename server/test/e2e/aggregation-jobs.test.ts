import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays, dayOf } from '../../src/analytics/day.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const to = addDays(dayOf(Date.now()), -1);
const from = addDays(to, -9_799);

describe('the aggregation of decades', () => {
  test('survives SIGTERM, which it does not hold up, and kill -9, and aggregates no day twice', async () => {
    const database = await createTestDatabase();
    const address = database.address as Parameters<typeof databaseUrl>[0];
    const start = () => startServerProcess({ env: { DATABASE_URL: databaseUrl(address) } });
    const days = async () => {
      const [row] = await database.sql<{ days: number }>(
        'select count(*) as days from analytics.brand_days where aggregated_at is not null',
      );
      return Number(row?.days);
    };
    const job = async (server: ServerProcess, id: string) => (await server.admin.get(`/jobs/${id}`)).json;

    const first = await start();
    const { json: brand } = await first.admin.post('/brands', { name: 'Old' });
    const { status, json } = await first.admin.post(`/brands/${brand.id}/aggregations`, { from, to });
    assert.equal(status, 202);
    await waitFor('the first slices', async () => (await days()) > 0);
    const begun = performance.now();
    assert.equal((await first.stop()).code, 0);
    assert.ok(performance.now() - begun < 10_000);
    const atStop = await days();

    const second = await start();
    await waitFor('the job to continue', async () => (await days()) > atStop, 60_000);
    await second.kill9();
    const atKill = await days();
    const older = await database.sql<{ at: string }>(
      'select max(aggregated_at)::text as at from analytics.brand_days',
    );

    // The heartbeat of a killed worker stops, which is noticed after a minute.
    await database.sql(
      `update pgboss.job set state = 'retry', start_after = now() where id = $1 and state = 'active'`,
      [json.job_id],
    );
    const third = await start();
    const done = await waitFor(
      'the job to be done',
      async () => {
        const found = await job(third, json.job_id);
        return found.state === 'completed' ? found : null;
      },
      120_000,
    );
    assert.deepEqual([done.result.days, done.result.rows.daily], [9_800, 9_800]);
    const untouched = await database.sql<{ days: number }>(
      'select count(*) as days from analytics.brand_days where aggregated_at <= $1::timestamptz',
      [older[0]?.at],
    );
    assert.ok(Number(untouched[0]?.days) >= atKill, 'days that were done are not aggregated again');
    assert.equal((await third.stop()).code, 0);
  });
});
