import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { scopes } from '../../src/api/access.ts';
import { openBackup } from '../../src/backup/manifest.ts';
import { feedsPath, reportOf, sendFeed } from '../../src/catalog/feeds/tests/feeds.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { randomHex } from '../../src/lib/ids.ts';
import type { ApiClient, ApiResponse } from '../support/api-client.ts';
import { connectToEmbedded } from '../support/embedded-connection.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { unlimitedCatalog } from '../support/limits.ts';
import { endPostgres } from '../support/postgres-process.ts';
import { runCommand, startCommand } from '../support/run-command.ts';
import { makeDataDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

interface Write {
  readonly key: string;
  readonly sku: string;
  readonly answer: ApiResponse;
  readonly acknowledgedAt: number;
}

async function newClient(server: ServerProcess): Promise<{ apiKey: string; client: ApiClient }> {
  const brand = await ok(server.admin.post('/brands', { name: 'Kept' }), 201);
  const key = await ok(server.admin.post(`/brands/${brand.id}/keys`, { name: 'Key', scopes }), 201);
  return { apiKey: key.api_key, client: server.clientWith(key.api_key) };
}

function createProduct(client: ApiClient, key: string, sku: string): Promise<ApiResponse> {
  return client.post('/catalog/products', { sku, title: `Größe ${sku}` }, { 'idempotency-key': key });
}

/** Creates products one after the other until it is stopped. */
function keepWriting(client: ApiClient): { stop: () => Promise<Write[]>; count: () => number } {
  const writes: Write[] = [];
  let isStopped = false;
  const work = (async () => {
    while (!isStopped) {
      const [key, sku] = [randomHex(16), `LIVE-${writes.length}`];
      const answer = await createProduct(client, key, sku);
      assert.equal(answer.status, 201, answer.text);
      writes.push({ key, sku, answer, acknowledgedAt: Date.now() });
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await work;
      return writes;
    },
    count: () => writes.length,
  };
}

async function snapshotTimeOf(file: string): Promise<number> {
  const { reader, manifest } = await openBackup(file);
  await reader.close();
  return Date.parse(manifest.created_at);
}

describe('brandport backup and restore', { concurrency: 2 }, () => {
  it('keep every acknowledged write up to the snapshot, and half-applied feeds finish', async () => {
    const server = await startServerProcess({ env: unlimitedCatalog });
    const { apiKey, client } = await newClient(server);
    const skus = Array.from({ length: 40 }, (_, index) => `P-${index}`);
    for (const sku of skus) assert.equal((await client.create('/catalog/products', { sku })).status, 201);
    await ok(client.post('/catalog/stock/locations', { external_code: 'WH' }), 201);
    const lines = Array.from({ length: 40_000 }, (_, index) => ({
      sku: index % 2 === 0 ? `NONE-${index}` : (skus[index % 40] as string),
      location_code: 'WH',
      quantity: index,
    }));
    const writer = keepWriting(client);
    const { feed_id: feedId } = await ok(sendFeed(client, lines, 'batch-1'), 202);
    const database = await connectToEmbedded(server.dataDir);
    await waitFor('the first chunk of the feed', async () => {
      const { rows } = await database.query('select next_line from stock_feeds where next_line > 0');
      return rows.length > 0;
    });
    await database.end();
    const file = join(await makeDataDir(), 'backup.tar');
    const written = await runCommand({ BRANDPORT_DATA_DIR: server.dataDir }, 'backup', file);
    assert.equal(written.code, 0, written.stderr);
    assert.match(written.stdout, /^\S+backup\.tar: \d+ tables, \d+ rows, [\d.]+ (KB|MB), as of \d{4}-/);
    await waitFor('writes after the backup', () => writer.count() > 5);
    const writes = await writer.stop();
    const snapshotAt = await snapshotTimeOf(file);

    await server.kill9();
    endPostgres(server.dataDir);
    await rm(server.dataDir, { recursive: true, force: true });
    const env = { BRANDPORT_DATA_DIR: server.dataDir };
    const restored = await runCommand(env, 'restore', file, '--verify');
    assert.equal(restored.code, 0, restored.stdout || restored.stderr);
    assert.match(restored.stdout, /^Restored \d+ tables, \d+ rows, as of .*\nExamined 1 brand: everything/);

    const again = await startServerProcess({ env: { ...unlimitedCatalog, ...env } });
    const after = again.clientWith(apiKey);
    for (const { key, sku, answer, acknowledgedAt } of writes) {
      const replay = await createProduct(after, key, sku);
      assert.equal(replay.status, 201, replay.text);
      if (acknowledgedAt >= snapshotAt) continue;
      assert.equal(replay.headers['idempotency-replayed'], 'true', sku);
      assert.equal(replay.text, answer.text);
    }
    assert.ok(writes.some(({ acknowledgedAt }) => acknowledgedAt < snapshotAt));
    const report = await reportOf(after, feedId);
    assert.equal(report.status, 'completed');
    assert.equal(report.totals.received, lines.length);
    assert.equal(report.totals.unknown_sku, lines.length / 2);
    assert.equal((await sendFeed(after, lines, 'batch-1')).status, 200);
    assert.equal((await again.stop()).code, 0);
    const healthy = await runCommand(env, 'doctor');
    assert.deepEqual([healthy.code, healthy.stdout], [0, 'Examined 1 brand: everything adds up.\n']);
  });

  it('survive a kill -9 in the middle', async () => {
    const [main, analytics] = [await createDatabase(), await createDatabase()];
    const env = {
      DATABASE_URL: databaseUrl(main),
      BRANDPORT_ANALYTICS_URL: databaseUrl(analytics),
      BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data'),
    };
    const server = await startServerProcess({ env: { ...env, ...unlimitedCatalog, BRANDPORT_ROLE: 'api' } });
    const { client } = await newClient(server);
    const lines = Array.from({ length: 100_000 }, (_, index) => ({
      sku: `S-${index}`,
      location_code: 'WH',
      quantity: index,
    }));
    await ok(
      client.post(feedsPath, { source: 'erp', mode: 'snapshot', lines }, { 'idempotency-key': 'one' }),
      202,
    );
    assert.equal((await server.stop()).code, 0);
    // So many rows that the restore can be killed while it copies them.
    await runSql(
      main,
      `insert into audit_entries (action, resource_type, resource_id)
       select 'test', 'test', n::text from generate_series(1, 300000) n`,
    );

    const file = join(await makeDataDir(), 'backup.tar');
    const blocker = new pg.Client(analytics);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table analytics.users in access exclusive mode');
    const backup = startCommand(env, 'backup', file);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await waitFor('the lock', async () => (await runSql(analytics, waits)).length > 0, 60_000);
    backup.child.kill('SIGKILL');
    assert.equal((await backup.outcome).code, null);
    await blocker.end();
    assert.match((await readdir(dirname(file))).join(), /^backup\.tar\.[0-9a-f]{8,}\.partial$/);
    const second = await runCommand(env, 'backup', file);
    assert.equal(second.code, 0, second.stderr);
    assert.ok((await readdir(dirname(file))).includes(basename(file)));

    const [newMain, newAnalytics] = [await createDatabase(), await createDatabase()];
    const target = {
      ...env,
      DATABASE_URL: databaseUrl(newMain),
      BRANDPORT_ANALYTICS_URL: databaseUrl(newAnalytics),
    };
    const killed = startCommand(target, 'restore', file);
    const copies = `select from pg_stat_activity
      where datname = current_database() and query like 'copy "public"."audit_entries"%' and state = 'active'`;
    await waitFor('the rows of the audit', async () => (await runSql(newMain, copies)).length > 0, 60_000);
    killed.child.kill('SIGKILL');
    assert.equal((await killed.outcome).code, null);
    await waitFor('the rollback', async () => {
      const [row] = await runSql<{ isEmpty: boolean }>(
        newMain,
        `select to_regclass('public.brands') is null as "isEmpty"`,
      );
      return row?.isEmpty;
    });
    const restored = await runCommand(target, 'restore', file, '--verify');
    assert.equal(restored.code, 0, restored.stdout || restored.stderr);
    const [{ count } = { count: 0 }] = await runSql<{ count: number }>(
      newMain,
      'select count(*)::integer as count from stock_feed_lines',
    );
    assert.equal(count, 100_000);
    const refused = await runCommand(target, 'restore', file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The database is not empty: it has .*\. Nothing was written\.$/m);
    assert.doesNotMatch(refused.stderr, /^\s+at /m);
  });

  it('are rehearsed in a scratch database, which shows what does not add up', async () => {
    const address = await createDatabase();
    const env = { DATABASE_URL: databaseUrl(address), BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data') };
    assert.equal((await runCommand(env, 'migrate')).code, 0);
    assert.equal((await runCommand(env, 'brands', 'create', 'Kept')).code, 0);
    for (const [change, code, message] of [
      ['select 1', 0, /^Restored \d+ tables, .*\nExamined 1 brand: everything adds up\.\n$/],
      ['update brand_catalogs set products_total = 9', 1, /^Restored .*\n.*products_total/s],
    ] as const) {
      await runSql(address, change);
      const file = join(await makeDataDir(), 'backup.tar');
      assert.equal((await runCommand(env, 'backup', file)).code, 0);
      const scratch = { DATABASE_URL: '', BRANDPORT_DATA_DIR: join(await makeDataDir(), 'scratch') };
      const rehearsed = await runCommand(scratch, 'restore', file, '--verify');
      assert.equal(rehearsed.code, code, rehearsed.stderr);
      assert.match(rehearsed.stdout, message);
    }
  });

  it('explain what is wrong: a missing file, a file that exists, a database that is unavailable', async () => {
    const env = { BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data') };
    const file = join(await makeDataDir(), 'none.tar');
    for (const [args, variables, message] of [
      [['restore', file], env, /none\.tar cannot be read: ENOENT/],
      [['backup', file], env, /^There is no database in /],
      [
        ['backup', file],
        { DATABASE_URL: 'postgresql://b@127.0.0.1:1/none' },
        /DATABASE_URL cannot be reached/,
      ],
      [['move-to', 'mysql://host/db'], env, /^The target must be a URL that starts with postgres/],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(variables, ...args);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /^\s+at /m);
    }
  });
});
