// nightly: counts the transactions of ten idle seconds
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { defaultKeep } from '../../retention/policy-settings.ts';
import { openJobQueue } from '../job-queue.ts';

const apps = await createTestApps();

it('an idle worker asks the database about once a second, and starts a job of another process without being woken', async () => {
  const jobs = await openJobQueue(apps.database, { info: () => {}, error: () => {} }, true);
  apps.beforeClose(() => jobs.stop(5_000));
  const started: string[] = [];
  const feeds = { feedFinished: () => started.push('feed'), chunkFailed: () => {} };
  await jobs.work({ ...apps.context, jobs, feeds, retention: { keep: defaultKeep } });
  await sleep(3_000);

  const { query } = pg.Client.prototype;
  let sent = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    sent += 1;
    return (query as unknown as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  await sleep(6_000);
  pg.Client.prototype.query = query;
  assert.ok(sent >= 3, 'the worker asks');
  // Twenty workers that poll for themselves would have sent some 150.
  assert.ok(sent < 40, `${sent} statements in 6 s`);

  // The queue of the apps does not work here, like that of an api process.
  const { client } = await apps.newBrand();
  const lines = [{ sku: 'A', location_code: 'L', quantity: 1 }];
  const feed = { source: 'test', mode: 'snapshot', lines };
  const { status } = await client.post('/catalog/stock/feeds', feed, { 'idempotency-key': 'one' });
  assert.equal(status, 202);
  await waitFor('the feed', () => started.includes('feed'));
});
