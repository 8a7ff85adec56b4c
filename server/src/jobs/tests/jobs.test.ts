import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertRefused } from '../../../test/support/assert-refused.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { reportOf, sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../catalog/tests/new-axes.ts';

const lines = [{ sku: 'A', location_code: 'L', quantity: 1 }];

describe('the list of jobs', async () => {
  const apps = await createTestApps();
  const { client, brandId } = await apps.newBrand();

  // [internal-46]
  it('shows what is queued, running and failed, the newest first, page by page, and nothing that is done', async () => {
    for (const _ of [1, 2, 3, 4]) await sendFeed(client, lines);
    const all = await ok(apps.admin.get('/jobs'));
    assert.equal(all.meta.total, 4);
    const [first, second, third, fourth] = all.data.toReversed();
    assert.deepEqual(
      { ...first, id: '', created_at: '' },
      {
        id: '',
        queue: 'apply-stock-feeds',
        state: 'queued',
        data: { brand_id: brandId },
        retries: 0,
        created_at: '',
        started_at: null,
        next_run_at: first.created_at,
        error: null,
      },
    );
    assert.ok(all.data.every((job: { created_at: string }) => Date.parse(job.created_at) > 0));
    const become = (id: string, state: string) =>
      apps.sql(
        `update pgboss.job set state = $2::pgboss.job_state, started_on = now(),
           output = '{"message":"the disk is full"}' where id = $1`,
        [id, state],
      );
    await become(first.id, 'completed');
    await become(second.id, 'active');
    await become(third.id, 'failed');
    const listed = await ok(apps.admin.get('/jobs'));
    assert.deepEqual(
      listed.data.map(({ id, state }: { id: string; state: string }) => [id, state]),
      [
        [fourth.id, 'queued'],
        [third.id, 'failed'],
        [second.id, 'running'],
      ],
    );
    assert.equal(listed.data[1].error, 'the disk is full');
    const page = await ok(apps.admin.get('/jobs?per_page=2&page=2'));
    assert.deepEqual([page.data.length, page.meta.total, page.meta.last_page], [1, 3, 2]);
    for (const query of ['page=0', 'per_page=x'])
      assertRefused(await apps.admin.get(`/jobs?${query}`), 'validation_failed', [
        query.split('=')[0] as string,
      ]);
  });

  it('is for the administrator', async () => {
    assert.equal((await apps.internalApp.inject({ url: '/internal/v1/jobs' })).statusCode, 401);
  });
});

describe('a failed job', async () => {
  const apps = await createTestApps({ runsJobs: true });
  const { client } = await apps.newBrand();

  async function jobOfDoneFeed(): Promise<string> {
    const { json } = await sendFeed(client, lines);
    await reportOf(client, json.feed_id);
    const job = await waitFor('the job to be done', async () => {
      const rows = await apps.sql<{ id: string }>(
        `select id from pgboss.job where name = 'apply-stock-feeds' and state = 'completed' order by created_on desc`,
      );
      return rows[0];
    });
    return job.id;
  }

  // [internal-46]
  it('is tried again when asked, once, and the audit says so', async () => {
    const id = await jobOfDoneFeed();
    await apps.sql(`update pgboss.job set state = 'failed' where id = $1`, [id]);
    const { status, json } = await apps.admin.post(`/jobs/${id}/retry`);
    assert.deepEqual([status, json.id, json.state], [202, id, 'queued']);
    await waitFor('the job to be done again', async () => {
      const [job] = await apps.sql('select state from pgboss.job where id = $1', [id]);
      return job?.['state'] === 'completed';
    });
    const audit = await ok(apps.admin.get('/audit?action=job.retry'));
    assert.deepEqual(
      audit.data.map(({ resource_type, resource_id }: Record<string, unknown>) => [
        resource_type,
        resource_id,
      ]),
      [['job', id]],
    );
  });

  it('that is done, or unknown, or no id, is 404', async () => {
    const done = await jobOfDoneFeed();
    for (const id of [done, randomUUID(), 'abc', '1', '%00', `${done}x`])
      assertRefused(await apps.admin.post(`/jobs/${id}/retry`), 'not_found');
  });
});

describe('a job that is queued or running', async () => {
  const apps = await createTestApps();
  const { client } = await apps.newBrand();

  it('stays as it is when it is to be tried again', async () => {
    await sendFeed(client, lines);
    const [{ id }] = (await ok(apps.admin.get('/jobs'))).data;
    for (const [stored, shown] of [
      ['created', 'queued'],
      ['active', 'running'],
    ]) {
      await apps.sql('update pgboss.job set state = $2::pgboss.job_state where id = $1', [id, stored]);
      const { status, json } = await apps.admin.post(`/jobs/${id}/retry`);
      assert.deepEqual([status, json.state], [202, shown]);
    }
    assert.equal((await ok(apps.admin.get('/audit?action=job.retry'))).meta.total, 0);
  });
});

// [internal-45]
it('feeds are listed for the administrator with status and totals, the last one first', async () => {
  const apps = await createTestApps({ runsJobs: true });
  const { client, brandId, keyId } = await apps.newBrand();
  for (const batch of ['one', 'two', 'three'])
    await reportOf(client, (await sendFeed(client, lines, batch)).json.feed_id);
  await sendFeed((await apps.newBrand()).client, lines, 'theirs');
  const { data, meta } = await ok(apps.admin.get(`/brands/${brandId}/feeds?per_page=2`));
  assert.deepEqual(meta, { current_page: 1, per_page: 2, total: 3, last_page: 2 });
  const { feed_id, received_at, finished_at, lines_per_second, request_id, ...feed } = data[0];
  assert.match(feed_id, /^.{21}$/);
  assert.ok(Date.parse(received_at) <= Date.parse(finished_at));
  assert.ok(lines_per_second > 0);
  assert.match(request_id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(feed, {
    brand_id: brandId,
    batch_id: 'three',
    source: 'test',
    status: 'completed',
    received_lines: 1,
    totals: { received: 1, unknown_sku: 1 },
    message: null,
    next_line: 1,
    queue_position: null,
    submitted_by: keyId,
    requeue_of: null,
    waiting: null,
    requeued_as: [],
    lines_dropped_at: null,
    failed_lines_left: 1,
  });
  assert.equal(data[1].batch_id, 'two');
  for (const id of ['999999', '0', 'x'])
    assertRefused(await apps.admin.get(`/brands/${id}/feeds`), 'not_found');
});
