import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accept, alertSecret, startWebhook } from '../../src/alerts/tests/webhook.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const webhook = await startWebhook();
const address = await createDatabase();
const plainEnv = { DATABASE_URL: databaseUrl(address), BRANDPORT_DATA_DIR: await makeDataDir() };
const env = { ...plainEnv, BRANDPORT_ALERT_WEBHOOK: webhook.url, BRANDPORT_ALERT_SECRET: alertSecret };

/** Queues a run, as the schedule does each minute, with all waits over. */
const runNow = () =>
  runSql(
    address,
    `update alerts set next_attempt_at = now() where next_attempt_at is not null;
     insert into pgboss.job (name, policy, retry_limit) select name, policy, 0 from pgboss.queue where name = 'send-alerts'`,
  );

const runs = (states: string) =>
  runSql<{ state: string; message: string | null }>(
    address,
    `select state::text as state, output ->> 'message' as message from pgboss.job
     where name = 'send-alerts' and state in (${states})`,
  );

describe('the alerts of a server', () => {
  it('are not looked for without a webhook', async () => {
    const server = await startServerProcess({ env: plainEnv });
    await ok(server.admin.post('/administrators', { name: 'Early', role: 'support' }), 201);
    const schedules = await runSql<{ name: string }>(address, 'select name from pgboss.schedule');
    assert.ok(schedules.length > 3);
    assert.ok(schedules.every(({ name }) => name !== 'send-alerts'));
    await server.stop();
    assert.deepEqual(await runSql(address, 'select 1 from alerts'), []);
  });

  it('arrive again with the same id if the worker is killed while it sends', async () => {
    const server = await startServerProcess({ env });
    const arrived = new Promise((resolve) => {
      webhook.respond = resolve;
    });
    await runNow();
    await arrived;
    await server.kill9();
    const [first] = webhook.take();
    assert.equal(first?.body.details.name, 'Early');
    webhook.respond = accept;
    const next = await startServerProcess({ env });
    await runNow();
    const second = await waitFor('the alert', () => webhook.take()[0]);
    assert.deepEqual(second.body, first.body);
    await waitFor('the run', async () => (await runs(`'completed'`)).length > 0);
    await runNow();
    await waitFor('the next run', async () => (await runs(`'completed'`)).length > 1);
    assert.deepEqual(webhook.take(), []);
    await next.stop();
  });

  it('fail as a job that the overview shows, with the host alone: neither it nor the log has the rest of the address', async () => {
    const server = await startServerProcess({ env });
    webhook.respond = (response) => void response.writeHead(503).end();
    await ok(server.admin.post('/administrators', { name: 'Late', role: 'support' }), 201);
    await runNow();
    const failed = await waitFor('the failed run', async () =>
      (await runs(`'failed'`)).find(({ message }) => message?.includes('status')),
    );
    assert.match(
      failed.message ?? '',
      /^alert [0-9a-f-]{36} \(administrator_created\) was not delivered to 127\.0\.0\.1:\d+: status 503$/,
    );
    const { jobs } = await ok(server.admin.get('/overview'));
    assert.equal(jobs.failures[0].queue, 'send-alerts');
    await server.stop();
    const log = server.stdout() + server.stderr();
    assert.match(log, /"job failed, will retry"/);
    assert.match(log, /"BRANDPORT_ALERT_WEBHOOK":"set"/);
    assert.ok(!log.includes(alertSecret) && !log.includes(new URL(webhook.url).pathname));
  });
});
