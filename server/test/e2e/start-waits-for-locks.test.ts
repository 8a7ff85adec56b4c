// nightly: waits for locks for a minute
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import type { Connection } from '../support/cluster/find-or-start-cluster.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { startCommand } from '../support/run-command.ts';
import { makeDataDir, spawnServer, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** A session of somebody else that holds a lock until it is closed. */
async function holdLock(address: Connection, statement: string) {
  const holder = new pg.Client({ ...address, application_name: 'somebody' });
  await holder.connect();
  await holder.query('begin');
  await holder.query(statement);
  return { release: () => holder.end() };
}

async function emptyDatabase() {
  const address = await createDatabase();
  return { address, env: { DATABASE_URL: databaseUrl(address), BRANDPORT_DATA_DIR: await makeDataDir() } };
}

const migrationLock = 'select pg_advisory_lock(4217731)';
const waits = /waiting for a lock that another session of the database holds/;

// [D185]
describe('while another session holds a lock that the start needs', { concurrency: true }, () => {
  test('a server says so within 5 s, and serves once it has the lock', async () => {
    const { address, env } = await emptyDatabase();
    const lock = await holdLock(address, migrationLock);
    const server = await spawnServer({ env });
    await waitFor('the log line', () => waits.test(server.stderr()));
    await lock.release();
    await waitFor('the ready line', () => server.stdout().includes('"ready":true'), 60_000);
  });

  test('migrate stops on SIGTERM, with a message and an exit code', async () => {
    const { address, env } = await emptyDatabase();
    const lock = await holdLock(address, migrationLock);
    const command = startCommand(env, 'migrate');
    const errors: string[] = [];
    command.child.stderr?.on('data', (text: string) => errors.push(text));
    await waitFor('the log line', () => waits.test(errors.join('')));
    const stoppedAt = performance.now();
    command.child.kill('SIGTERM');
    const { code, stderr } = await command.outcome;
    assert.ok(performance.now() - stoppedAt < 9_000);
    assert.equal(code, 1);
    assert.match(stderr, /Stopped before startup completed/);
    await lock.release();
  });

  test('migrate gives up after a minute, and says where to look', async () => {
    const { address, env } = await emptyDatabase();
    const lock = await holdLock(address, migrationLock);
    const startedAt = performance.now();
    const { code, stderr } = await startCommand(env, 'migrate').outcome;
    assert.equal(code, 1);
    assert.match(
      stderr,
      /has been migrating or restoring the database for 60 s\. .* docs\/monitoring\.md, "Locks", finds it/,
    );
    assert.ok(performance.now() - startedAt >= 60_000);
    await lock.release();
  });

  test('a start whose job queue is locked says so, and stops on SIGTERM', async () => {
    const { address, env } = await emptyDatabase();
    await (await startServerProcess({ env })).stop();
    const lock = await holdLock(address, 'lock table pgboss.version, pgboss.queue in access exclusive mode');
    const server = await spawnServer({ env });
    await waitFor('the log line', () => waits.test(server.stderr()), 40_000);
    server.signal('SIGTERM');
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    await lock.release();
  });
});
