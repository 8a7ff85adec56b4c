import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import { feedsPath, sendFeed } from '../../src/catalog/feeds/tests/feeds.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { findFreePort } from '../support/free-port.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { insertFeedLines } from '../support/insert-feed-lines.ts';
import { runCommand, startCommand } from '../support/run-command.ts';
import { makeDataDir, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const address = await createDatabase();
const keep = {
  BRANDPORT_KEEP_FEED_LINES: '30d',
  BRANDPORT_KEEP_AUDIT: 'forever',
  BRANDPORT_KEEP_KEY_USAGE: 'forever',
};
const env = { DATABASE_URL: databaseUrl(address), BRANDPORT_DATA_DIR: await makeDataDir() };
const feedCount = 3_000;

const server = await startServerProcess({ env });
const brand = await ok(server.admin.post('/brands', { name: 'Old' }), 201);
const key = await ok(server.admin.post(`/brands/${brand.id}/keys`, { name: 'Key', scopes }), 201);
const client = server.clientWith(key.api_key);
const lines = [{ sku: 'NONE', location_code: 'L', quantity: 1 }];

/** Adds finished feeds of 10 lines that are older than they are kept. */
async function addOldFeeds(): Promise<void> {
  await runSql(
    address,
    `with feeds as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line, totals,
         received_at, finished_at)
       select $1, gen_random_uuid(), gen_random_uuid(), '', 'erp', 'completed', 10, 10, '{"applied": 10}',
         now() - interval '31 days', now() - interval '31 days'
       from generate_series(1, $2::integer)
       returning id
     )
     ${insertFeedLines(`select $1::integer, id, n, 'x', 'L', 1, now(), 'applied' from feeds, generate_series(0, 9) n`)}`,
    [brand.id, feedCount],
  );
}

async function countLines(): Promise<number> {
  const [row] = await runSql<{ count: string }>(address, 'select count(*) from stock_feed_lines');
  return Number(row?.count);
}

async function doctorFindsNothing(of: Readonly<Record<string, string>> = env): Promise<void> {
  const { code, stdout, stderr } = await runCommand(of, 'doctor');
  assert.equal(code, 0, stdout + stderr);
}

// [internal-55] [catalog-118]
describe('brandport retain', () => {
  it('is continued by the next run after a kill -9, and leaves whole feeds in between', async () => {
    await addOldFeeds();
    const { child, outcome } = startCommand({ ...env, ...keep }, 'retain');
    await waitFor('the first lines to be dropped', async () => (await countLines()) < feedCount * 10, 60_000);
    child.kill('SIGKILL');
    assert.equal((await outcome).code, null);
    const left = await countLines();
    assert.ok(left > 0 && left % 10 === 0, `${left} lines are left`);
    await doctorFindsNothing();
    const again = await runCommand({ ...env, ...keep }, 'retain', '--json');
    assert.deepEqual(
      [again.code, JSON.parse(again.stdout)],
      [
        0,
        {
          policies: [
            { policy: 'feed-lines', keep_days: 30, dropped_rows: left, held_back_by: null },
            { policy: 'audit', keep_days: null, dropped_rows: 0, held_back_by: null },
            { policy: 'key-usage', keep_days: null, dropped_rows: 0, held_back_by: null },
            { policy: 'refusals', keep_days: 7, dropped_rows: 0, held_back_by: null },
            { policy: 'stock-changes', keep_days: 8, dropped_rows: 0, held_back_by: null },
            { policy: 'events', keep_days: null, dropped_rows: 0, held_back_by: null },
          ],
        },
      ],
      again.stderr,
    );
    assert.equal(await countLines(), 0);
    await doctorFindsNothing();
  });

  it('loses nothing but the lines: report, replay, backup and restore', async () => {
    const sent = await sendFeed(client, lines, 'batch');
    const path = `${feedsPath}/${sent.json.feed_id}`;
    await waitFor('the feed', async () => (await client.get(path)).json.status === 'completed');
    await runSql(
      address,
      `update stock_feeds set finished_at = now() - interval '31 days' where batch_id = 'batch'`,
    );
    const { code, stdout, stderr } = await runCommand({ ...env, ...keep }, 'retain');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^policy +kept +dropped rows\n/);
    assert.match(
      stdout,
      /\nfeed-lines +30 days +1\naudit +forever +0\nkey-usage +forever +0\nrefusals +7 days +0\nstock-changes +8 days +0\nevents +forever +0\n$/,
    );
    const report = await ok(client.get(path));
    assert.deepEqual([report.totals, report.lines.data], [{ received: 1, unknown_sku: 1 }, []]);
    assert.match(report.lines.dropped_at, /^\d{4}-.*Z$/);
    assert.equal((await sendFeed(client, lines, 'batch')).status, 200);

    const file = join(await makeDataDir(), 'backup.tar');
    assert.equal((await runCommand(env, 'backup', file)).code, 0);
    const restored = { ...env, DATABASE_URL: databaseUrl(await createDatabase()) };
    const { code: restoreCode, stderr: why } = await runCommand(restored, 'restore', file, '--verify');
    assert.equal(restoreCode, 0, why);
    const other = await startServerProcess({ env: restored });
    const again = other.clientWith(key.api_key);
    assert.deepEqual(await ok(again.get(path)), report);
    assert.equal((await sendFeed(again, lines, 'batch')).status, 200);
    await other.stop();
  });

  it('fails without a database, and a run that loses its connections is completed by the next one', async () => {
    const nowhere = { ...env, DATABASE_URL: `postgres://nobody@127.0.0.1:${await findFreePort()}/none` };
    const away = await runCommand({ ...nowhere, ...keep }, 'retain');
    assert.deepEqual([away.code, away.stdout], [1, '']);
    assert.match(away.stderr, /cannot be reached/);

    await addOldFeeds();
    const { outcome } = startCommand({ ...env, ...keep }, 'retain');
    await waitFor('the first lines to be dropped', async () => (await countLines()) < feedCount * 10, 60_000);
    await runSql(
      address,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'brandport-retain'`,
    );
    const { code, stderr } = await outcome;
    assert.ok(code === 0 || (code === 1 && /Not all was dropped: feed-lines/.test(stderr)), stderr);
    assert.equal((await runCommand({ ...env, ...keep }, 'retain')).code, 0);
    assert.equal(await countLines(), 0);
    await doctorFindsNothing();
  });
});
