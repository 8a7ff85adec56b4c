import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../analytics/day.ts';
import { newSeededBrand } from '../../analytics/tests/seed.ts';
import { sendFeed } from '../../catalog/feeds/tests/feeds.ts';
import { ok } from '../../catalog/tests/new-axes.ts';
import { sendAlerts } from '../send-alerts.ts';
import { alertSecret, startWebhook } from './webhook.ts';

const apps = await createTestApps({ poolSize: 8 });
const { admin, sql, clock } = apps;
const webhook = await startWebhook();
const consoleUrl = 'https://brandport.example/console/';
const target = { url: webhook.url, secrets: [alertSecret], consoleUrl };
const dayMs = 86_400_000;
// At noon, when the night is over.
clock.advance(dayMs - (clock.now() % dayMs) + dayMs / 2);
const ago = (minutes: number) => new Date(clock.now() - minutes * 60_000);

const send = () => sendAlerts(apps.context, target, new AbortController().signal);

/** Sends what is due, and returns what has arrived. */
async function sent() {
  await send();
  return webhook.take().map(({ body }) => body);
}

/** Adds a job that has ended, and returns its id. */
async function addJob(queue: string, state: string, at: Date, more: object = {}): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `insert into pgboss.job (name, state, data, policy, created_on, started_on, completed_on, output)
     select q.name, $2::pgboss.job_state, $4::jsonb -> 'data', q.policy, $3, $3, $3, $4::jsonb -> 'output'
     from pgboss.queue q where q.name = $1 returning id`,
    [queue, state, at, JSON.stringify(more)],
  );
  assert.ok(row);
  return row.id;
}

async function addFailedFeed(brand: Awaited<ReturnType<typeof newSeededBrand>>, batchId: string, at: Date) {
  const lines = [{ sku: 'S', location_code: 'L', quantity: 1 }];
  assert.equal((await sendFeed(brand.client, lines, batchId)).status, 202);
  const [row] = await sql<{ tu_id: string }>(
    `update stock_feeds set status = 'failed', finished_at = $2 where batch_id = $1 returning tu_id`,
    [batchId, at],
  );
  assert.ok(row);
  return row.tu_id;
}

describe('alerts', async () => {
  const name = '👟'.repeat(255);
  const brand = await newSeededBrand(apps, { users: ['a'] });
  await sql('update brands set name = $2 where id = $1', [brand.brandId, name]);
  const about = { id: brand.brandId, name };

  it('are none on a quiet day', async () => {
    assert.deepEqual([await send(), webhook.take()], [{ added: 0, sent: 0 }, []]);
    assert.deepEqual(await sql('select 1 from alerts'), []);
  });

  it('arrive once for each kind of concern, the oldest first, from two workers', async () => {
    const feedId = await addFailedFeed(brand, 'failed', ago(65));
    await addFailedFeed(brand, 'before', ago(24 * 60 + 1));
    const jobId = await addJob('apply-stock-feeds', 'failed', ago(55), { data: { brand_id: brand.brandId } });
    const nightId = await addJob('aggregate-days', 'failed', ago(54));
    const failedAlert = await addJob('send-alerts', 'failed', ago(53));
    await addJob('run-doctor', 'completed', ago(52), { output: { brands: 1, found: 0, differences: [] } });
    const runId = await addJob('run-doctor', 'completed', ago(51), {
      output: { brands: 1, found: 1, differences: [] },
    });
    const expiresAt = new Date(clock.now() + 7 * dayMs - 60_000).toISOString();
    const key = await apps.newKey(brand.brandId, ['catalog.products:read'], {
      name: 'ERP "north"',
      expires_at: expiresAt,
    });
    await apps.newKey(brand.brandId, ['catalog.products:read'], {
      expires_at: new Date(clock.now() + 7 * dayMs + 60_000).toISOString(),
    });
    const ada = await ok(admin.post('/administrators', { name: 'Ada', role: 'support' }), 201);
    await ok(admin.delete(`/administrators/${ada.administrator_id ?? ada.id}`), 204);
    await sql(`update audit_entries set at = $1 where action = 'administrator.create'`, [ago(50)]);
    const day = yesterdayOf(clock.now());
    await brand.aggregate({ from: addDays(day, -1), to: addDays(day, -1) });

    const outcomes = await Promise.all([send(), send(), send()]);
    assert.equal(
      outcomes.reduce((sum, { added }) => sum + added, 0),
      7,
    );
    assert.equal(
      outcomes.reduce((sum, { sent }) => sum + sent, 0),
      7,
    );
    const received = webhook.take().map(({ body }) => body);
    assert.equal(new Set(received.map(({ id }) => id)).size, 7);
    const at = (minutes: number) => ago(minutes).toISOString().slice(0, 16);
    const shown = received
      .map(({ id: _, ...rest }) => ({ ...rest, at: rest.at.slice(0, 16) }))
      .sort((a, b) => a.kind.localeCompare(b.kind) || a.at.localeCompare(b.at));
    assert.deepEqual(shown, [
      {
        kind: 'administrator_created',
        at: at(50),
        brand: null,
        title: 'admin-token created the administrator "Ada" (support)',
        details: { administrator_id: ada.id, name: 'Ada', role: 'support', actor: 'admin-token' },
        url: `${consoleUrl}administrators`,
      },
      {
        kind: 'datasets_behind',
        at: at(0),
        brand: null,
        title: `Datasets are behind: ${day} is not aggregated for 1 brand`,
        details: { day, brands: 1, brand_ids: [brand.brandId] },
        url: `${consoleUrl}datasets`,
      },
      {
        kind: 'doctor_found',
        at: at(51),
        brand: null,
        title: 'The doctor found 1 difference',
        details: { run_id: runId, differences: 1 },
        url: `${consoleUrl}doctor`,
      },
      {
        kind: 'feed_failed',
        at: at(65),
        brand: about,
        title: `A stock feed of ${name} failed`,
        details: { feed_id: feedId },
        url: `${consoleUrl}brands/${brand.brandId}/feeds/${feedId}`,
      },
      {
        kind: 'job_failed',
        at: at(55),
        brand: about,
        title: `A job of the queue apply-stock-feeds failed for ${name}`,
        details: { queue: 'apply-stock-feeds', job_id: jobId },
        url: `${consoleUrl}jobs/${jobId}`,
      },
      {
        kind: 'job_failed',
        at: at(54),
        brand: null,
        title: 'A job of the queue aggregate-days failed',
        details: { queue: 'aggregate-days', job_id: nightId },
        url: `${consoleUrl}jobs/${nightId}`,
      },
      {
        kind: 'key_expires',
        at: at(0),
        brand: about,
        title: `The key "ERP "north"" of ${name} expires on ${expiresAt.slice(0, 10)}`,
        details: { key_id: key.keyId, name: 'ERP "north"', expires_at: expiresAt },
        url: `${consoleUrl}brands/${brand.brandId}/keys/${key.keyId}`,
      },
    ]);
    assert.ok(!JSON.stringify(received).includes(failedAlert), 'an alert about alerts');
    assert.ok(!JSON.stringify(received).includes(key.apiKey.split('.')[1] as string), 'a secret');
    assert.deepEqual(await sent(), []);
  });

  it('count the failures of a brand and hour as one, and begin again with the next hour', async () => {
    const other = await newSeededBrand(apps, { users: ['a'] });
    for (let n = 0; n < 3; n += 1) await addFailedFeed(other, `other-${n}`, ago(125 + n));
    const alerts = await sent();
    const hours = new Set([125, 126, 127].map((minutes) => ago(minutes).toISOString().slice(0, 13)));
    assert.deepEqual(
      alerts.map(({ kind }) => kind),
      [...hours].map(() => 'feed_failed'),
    );
    await addFailedFeed(other, 'later', ago(1));
    assert.equal((await sent()).length, 1);
  });

  it('report a key again when its end moves, and datasets again on the next day, not before six in the morning', async () => {
    const expires = new Date(clock.now() + 3 * dayMs);
    await sql('update api_keys set expires_at = $2 where key_id = $1', [brand.keyId, expires]);
    assert.deepEqual(
      (await sent()).map(({ kind }) => kind),
      ['key_expires'],
    );
    // 05:59 of the next day.
    clock.advance(dayMs - (clock.now() % dayMs) + 6 * 3_600_000 - 60_000);
    const kinds = async () =>
      (await sent()).map(({ kind }) => kind).filter((kind) => kind === 'datasets_behind');
    assert.deepEqual(await kinds(), []);
    clock.advance(60_000);
    assert.deepEqual(await kinds(), ['datasets_behind']);
    assert.deepEqual(await kinds(), []);
  });

  it('are dropped after 30 days', async () => {
    clock.advance(31 * dayMs);
    await send();
    const [row] = await sql<{ count: number }>(`select count(*) as count from alerts where created_at < $1`, [
      ago(60),
    ]);
    assert.equal(row?.count, 0);
  });
});
