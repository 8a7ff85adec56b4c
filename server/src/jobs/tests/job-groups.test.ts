import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { newAdministrator } from '../../access/administrators/tests/new-administrator.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { admin, clock, sql } = apps;
const minuteMs = 60_000;

interface Failure {
  readonly queue: string;
  readonly error: string;
  readonly brandId?: number;
  readonly minutesAgo: number;
}

/** Stores a failed job and returns its id. */
async function fail({ queue, error, brandId, minutesAgo }: Failure): Promise<string> {
  const at = new Date(clock.now() - minutesAgo * minuteMs);
  const [row] = await sql<{ id: string }>(
    `insert into pgboss.job (name, state, data, policy, created_on, completed_on, output)
     select q.name, 'failed', case when $2::int is not null then jsonb_build_object('brand_id', $2::int) end, q.policy, $3, $3,
       jsonb_build_object('message', $4::text)
     from pgboss.queue q where q.name = $1 returning id`,
    [queue, brandId ?? null, at, error],
  );
  return row?.id ?? assert.fail();
}

const id = (n: number) => `0000000${n}-aaaa-4bbb-8ccc-0123456789ab`;
const concern = async (kind: string) =>
  (await ok(admin.get('/overview'))).concerns.find((one: { kind: string }) => one.kind === kind);

/** Stores an alert, which was attempted so often and waits for its next attempt. */
const addAlert = (name: string, attempts: number, minutesAgo: number) =>
  sql(
    `insert into alerts (concern, kind, at, details, created_at, attempts, next_attempt_at)
     values ($1, 'doctor_found', $2, '{}', $2, $3, $4)`,
    [name, new Date(clock.now() - minutesAgo * minuteMs), attempts, new Date(clock.now() + minuteMs)],
  );

// [internal-211]
describe('jobs that failed for the same reason', () => {
  it('are one row with their number, of the last one, in the overview and the list', async () => {
    const [one, two] = [await apps.newBrand(), await apps.newBrand()];
    const lost = (n: number) => `settling ${id(n)} failed after ${n} ms: connection lost`;
    const add = (n: number, brandId: number, minutesAgo: number) =>
      fail({ queue: 'mark-days-of-returned-learners', error: lost(n), brandId, minutesAgo });
    await add(1, one.brandId, 30);
    await add(2, two.brandId, 20);
    const last = await add(3, one.brandId, 10);
    const other = await fail({ queue: 'aggregate-days', error: 'disk full', minutesAgo: 5 });
    const old = await fail({ queue: 'mark-days-of-returned-learners', error: lost(4), minutesAgo: 25 * 60 });
    const { jobs } = await ok(admin.get('/overview'));
    assert.deepEqual(
      jobs.failures.map((row: Record<string, unknown>) => [
        row['queue'],
        row['error'],
        row['count'],
        row['job_id'],
      ]),
      [
        ['aggregate-days', 'disk full', 1, other],
        ['mark-days-of-returned-learners', lost(3), 3, last],
      ],
    );
    const spanMs = Date.parse(jobs.failures[1].last_at) - Date.parse(jobs.failures[1].first_at);
    assert.ok(Math.abs(spanMs - 20 * minuteMs) < minuteMs, String(spanMs));
    assert.equal(jobs.failed_24h, 4);
    const listed = await ok(admin.get('/jobs?group=true&state=failed'));
    assert.deepEqual(
      listed.data.map((row: Record<string, unknown>) => [row['id'], row['count']]),
      [
        [other, 1],
        [last, 4],
      ],
      'those of earlier days as well',
    );
    assert.equal(listed.data[1].error, lost(3));
    const page = await ok(admin.get('/jobs?group=true&state=failed&per_page=1&page=2'));
    assert.deepEqual([page.data[0].id, page.meta.total], [last, 2]);
    assert.equal((await ok(admin.get('/jobs?state=failed'))).meta.total, 5);
    const operator = await newAdministrator(apps, 'operator', [two.brandId]);
    const own = await ok(operator.client.get('/jobs?group=true'));
    assert.deepEqual(
      own.data.map((row: Record<string, unknown>) => row['count']),
      [1],
    );
    assert.equal((await ok(operator.client.get('/overview'))).jobs.failures[0].count, 1);
    await sql('delete from pgboss.job where id = $1', [old]);
  });

  it('stay muted for a day while the same fails again, and not when something else fails', async () => {
    const first = await concern('jobs_failed');
    const until = new Date(clock.now() + 24 * 60 * minuteMs).toISOString();
    assert.equal((await admin.put(`/concerns/${first.id}/mute`, { until })).status, 204);
    await fail({ queue: 'aggregate-days', error: 'disk full', minutesAgo: 0 });
    const again = await concern('jobs_failed');
    assert.deepEqual([again.muted, again.muted_until, again.count], [true, until, first.count + 1]);
    assert.equal(again.since, first.since);
    await fail({ queue: 'aggregate-days', error: 'out of memory', minutesAgo: 0 });
    assert.equal((await concern('jobs_failed')).muted, false);
  });

  it('keep apart from jobs that have not failed', async () => {
    await sql(`insert into pgboss.job (name, state, policy) select name, 'created', policy
      from pgboss.queue, generate_series(1, 2)
      where name = 'mark-days-of-returned-learners'`);
    const { data } = await ok(
      admin.get('/jobs?group=true&state=queued&queue=mark-days-of-returned-learners'),
    );
    assert.deepEqual(
      data.map((row: Record<string, unknown>) => [row['count'], row['first_at'] === row['created_at']]),
      [
        [1, true],
        [1, true],
      ],
    );
  });
});

// [internal-211]
describe('alerts that do not arrive', () => {
  it('are one concern with their number and since when, whose mute holds through every further attempt', async () => {
    const failedBefore = (await ok(admin.get('/overview'))).jobs.failed_24h;
    assert.equal(await concern('alerts_undelivered'), undefined);
    await addAlert('new', 0, 0);
    await addAlert('on its way', 1, 0);
    assert.equal(await concern('alerts_undelivered'), undefined, 'the first attempt is not over');
    await addAlert('a', 5, 40);
    await addAlert('b', 2, 10);
    for (const n of [1, 2, 3])
      await fail({
        queue: 'send-alerts',
        error: `alert ${id(n)} (doctor_found) was not delivered to hooks.example.com: ECONNREFUSED`,
        minutesAgo: n,
      });
    const { jobs } = await ok(admin.get('/overview'));
    assert.equal(jobs.failed_24h, failedBefore, 'failed attempts are no failed jobs of their own');
    const row = jobs.failures.find(({ queue }: { queue: string }) => queue === 'send-alerts');
    assert.deepEqual([row.count, /hooks\.example\.com/.test(row.error)], [3, true]);
    const found = await concern('alerts_undelivered');
    assert.deepEqual([found.count, found.brands, found.muted], [2, [], false]);
    assert.ok(Math.abs(clock.now() - 40 * minuteMs - Date.parse(found.since)) < minuteMs);
    const until = new Date(clock.now() + 24 * 60 * minuteMs).toISOString();
    assert.equal((await admin.put(`/concerns/${found.id}/mute`, { until })).status, 204);
    await addAlert('c', 3, 1);
    await sql('update alerts set attempts = attempts + 1');
    const later = await concern('alerts_undelivered');
    assert.deepEqual([later.count, later.muted, later.id === found.id], [4, true, true]);
    await sql('update alerts set sent_at = $1, next_attempt_at = null', [new Date(clock.now())]);
    assert.equal(await concern('alerts_undelivered'), undefined, 'all have arrived');
    await addAlert('d', 2, 0);
    assert.equal((await concern('alerts_undelivered')).muted, false, 'another failure');
  });

  it('is a failed job when it fails for another reason', async () => {
    const before = (await ok(admin.get('/overview'))).jobs.failed_24h;
    await fail({ queue: 'send-alerts', error: 'relation alerts does not exist', minutesAgo: 0 });
    assert.equal((await ok(admin.get('/overview'))).jobs.failed_24h, before + 1);
  });
});
