// processes: the queue looks for missed times every 30 seconds
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
  await jobs.work({ ...apps.context, jobs, feeds, retention: { keep: defaultKeep } });
  return jobs;
}

async function nightlyJobs(): Promise<string[]> {
  const rows = await apps.sql<{ state: string }>(
    `select state::text from pgboss.job where name = 'aggregate-days'`,
  );
  return rows.map(({ state }) => state);
}

async function hasLookedAtSchedule(): Promise<boolean> {
  const rows = await apps.sql(`select 1 from pgboss.version where cron_on > now() - interval '10 minutes'`);
  return rows.length > 0;
}

it('a night that the clock jumped over, or in which no worker ran, is made up for by one run of one worker', async () => {
  const first = await startWorker();
  await waitFor('the first look at the schedule', hasLookedAtSchedule);
  await first.stop(5_000);
  const before = (await nightlyJobs()).length;
  // As it is after a jump by 25 hours, or after as long without a worker.
  await apps.sql(`update pgboss.schedule set created_on = created_on - interval '3 days'`);
  await apps.sql(`update pgboss.version set cron_on = now() - interval '25 hours'`);
  const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
  await waitFor('the run', async () => (await nightlyJobs()).includes('completed'), 60_000);
  const made = (await nightlyJobs()).length - before;
  for (const worker of workers) await worker.stop(5_000);
  const minuteOfDay = new Date().getUTCHours() * 60 + new Date().getUTCMinutes();
  // Around 00:05 tonight's run is due as well.
  assert.ok(made === 1 || (made === 2 && minuteOfDay >= 4 && minuteOfDay <= 10), `${made} runs`);
});
