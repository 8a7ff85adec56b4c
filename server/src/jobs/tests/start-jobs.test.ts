import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { defaultKeep } from '../../retention/policy-settings.ts';
import { openJobQueue } from '../job-queue.ts';

const apps = await createTestApps();
const log = { info: () => {}, error: () => {} };

async function startWorker() {
  const jobs = await openJobQueue(apps.database, log, true);
  apps.beforeClose(() => jobs.stop(5_000));
  const feeds = { feedFinished: () => {}, chunkFailed: () => {} };
  await jobs.work({
    ...apps.context,
    jobs,
    feeds,
    retention: { keep: defaultKeep },
    backUp: async () => ({}),
  });
}

/** The backups that a start has queued, not those of the schedule. */
const startRuns = () =>
  apps.sql<{ state: string; minute: string }>(
    `select state::text, singleton_on::text as minute from pgboss.job
     where name = 'make-backup' and singleton_key = 'start' order by singleton_on`,
  );

it('workers that start together look for a due backup once, soon, and the next start does it again', async () => {
  await Promise.all([startWorker(), startWorker(), startWorker()]);
  const first = await startRuns();
  // They may have started around the turn of a minute.
  assert.equal(new Set(first.map(({ minute }) => minute)).size, first.length, 'two runs in one minute');
  assert.ok(first.length === 1 || first.length === 2, `${first.length} runs`);
  await waitFor('the runs', async () => (await startRuns()).every(({ state }) => state === 'completed'));

  await apps.sql(
    `update pgboss.job set singleton_on = singleton_on - interval '1 hour' where singleton_key = 'start'`,
  );
  await startWorker();
  assert.equal((await startRuns()).length, first.length + 1);
  await waitFor('the next run', async () => (await startRuns()).every(({ state }) => state === 'completed'));
});
