import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const apps = await createTestApps();
const { brandId: ours } = await apps.newBrand();
const { brandId: theirs } = await apps.newBrand();

/** Stores jobs, the later ones younger, and returns their ids. */
async function addJobs(queue: string, state: string, brandId: number | null, count = 1): Promise<string[]> {
  const rows = await apps.sql<{ id: string }>(
    `insert into pgboss.job (name, state, data, policy, created_on, output)
     select q.name, $2::pgboss.job_state, case when $3::int is not null then jsonb_build_object('brand_id', $3::int) end,
       q.policy, now() + n * interval '1 second', '{"message":"out of memory"}'
     from pgboss.queue q, generate_series(1, $4::int) as n where q.name = $1 order by n returning id`,
    [queue, state, brandId, count],
  );
  assert.equal(rows.length, count);
  return rows.map(({ id }) => id);
}

async function idsOf(query: string): Promise<string[]> {
  const { data, meta } = await ok(apps.admin.get(`/jobs?per_page=200&${query}`));
  assert.equal(meta.total, data.length);
  return data.map(({ id }: { id: string }) => id);
}

const statesIn = async (ids: readonly string[]) => {
  const rows = await apps.sql<{ state: string }>(
    'select distinct state::text as state from pgboss.job where id = any($1::uuid[]) order by 1',
    [ids],
  );
  return rows.map(({ state }) => state);
};

// [internal-110]
describe('the filters of the list of jobs', async () => {
  const [waiting] = await addJobs('apply-stock-feeds', 'created', ours);
  const [again] = await addJobs('apply-stock-feeds', 'retry', ours);
  const [active] = await addJobs('aggregate-window', 'active', ours);
  const [failed] = await addJobs('aggregate-window', 'failed', theirs);
  const [scheduled] = await addJobs('aggregate-days', 'failed', null);
  await addJobs('apply-stock-feeds', 'completed', ours);

  const cases: readonly (readonly [query: string, ids: readonly (string | undefined)[]])[] = [
    ['', [waiting, again, active, failed, scheduled]],
    ['state=queued', [waiting, again]],
    ['state=running', [active]],
    ['state=failed', [failed, scheduled]],
    ['queue=aggregate-window', [active, failed]],
    [`brand_id=${ours}`, [waiting, again, active]],
    [`brand_id=${theirs}&state=failed`, [failed]],
    [`brand_id=${ours}&state=failed`, []],
    [`state=queued&queue=apply-stock-feeds&brand_id=${ours}`, [waiting, again]],
    ['brand_id=2147483647', []],
  ];
  for (const [query, ids] of cases)
    it(`select with "${query}"`, async () => assert.deepEqual((await idsOf(query)).sort(), [...ids].sort()));

  for (const query of [
    'state=completed',
    'state=',
    'queue=none',
    'brand_id=0',
    'brand_id=x',
    'brand_id=2147483648',
  ])
    it(`reject ${query}`, async () =>
      assertRefused(await apps.admin.get(`/jobs?${query}`), 'validation_failed', [
        query.split('=')[0] as string,
      ]));
});

// [internal-110]
describe('retrying all failed jobs', () => {
  it('of a filter leaves all others', async () => {
    const mine = await addJobs('mark-days-of-returned-learners', 'failed', ours, 3);
    const other = await addJobs('mark-days-of-returned-learners', 'failed', theirs, 2);
    const running = await addJobs('mark-days-of-returned-learners', 'active', ours);
    const body = { state: 'failed', queue: 'mark-days-of-returned-learners', brand_id: ours };
    const { status, json } = await apps.admin.post('/jobs/retry', body);
    assert.deepEqual([status, json], [202, { retried: 3 }]);
    assert.deepEqual(
      [await statesIn(mine), await statesIn(other), await statesIn(running)],
      [['retry'], ['failed'], ['active']],
    );
    const { data } = await ok(apps.admin.get('/audit?action=job.retry'));
    assert.deepEqual(
      [data[0].brand_id, data[0].resource_id, data[0].details],
      [ours, '*', { queue: 'mark-days-of-returned-learners', brand_id: ours, jobs: 3 }],
    );
    assert.deepEqual((await apps.admin.post('/jobs/retry', body)).json, { retried: 0 });
    assert.equal((await ok(apps.admin.get('/audit?action=job.retry'))).data.length, data.length);
  });

  it('that are more than are locked at once retries each, and without a body those of all queues', async () => {
    const many = await addJobs('apply-stock-feeds', 'failed', ours, 5_001);
    const few = await addJobs('apply-retention', 'failed', null, 2);
    const before = await apps.sql(`select from pgboss.job where state = 'failed'`);
    const { json } = await apps.admin.post('/jobs/retry');
    assert.equal(json.retried, before.length);
    assert.deepEqual(await statesIn([...many, ...few]), ['retry']);
  });

  it('by requests at the same time counts each job once', async () => {
    await addJobs('aggregate-window', 'failed', ours, 400);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => apps.admin.post('/jobs/retry', { queue: 'aggregate-window' })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
    assert.equal(
      answers.reduce((sum, { json }) => sum + json.retried, 0),
      400,
    );
    assert.deepEqual(await idsOf('state=failed&queue=aggregate-window'), []);
  });

  it('changes nothing for another state', async () => {
    const failed = await addJobs('aggregate-days', 'failed', null);
    for (const state of ['queued', 'running'])
      assert.deepEqual((await apps.admin.post('/jobs/retry', { state })).json, { retried: 0 });
    assert.deepEqual(await statesIn(failed), ['failed']);
  });

  for (const body of [{ state: 'completed' }, { queue: 'none' }, { brand_id: 'x' }, { brand_id: null }])
    it(`rejects ${JSON.stringify(body)} and retries nothing`, async () => {
      const failed = await addJobs('aggregate-days', 'failed', null);
      assertRefused(await apps.admin.post('/jobs/retry', body), 'validation_failed', Object.keys(body));
      assert.deepEqual(await statesIn(failed), ['failed']);
    });
});
