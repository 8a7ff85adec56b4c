import assert from 'node:assert/strict';
import { readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { EmbeddedPostgresError, lockDataDir } from '../data-dir.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import {
  kill,
  listProcesses,
  makeTestDir,
  query,
  quiet,
  readServerPid,
  startPostgresStandIn,
  waitFor,
} from './embedded-postgres.ts';

// One cluster for the whole file, since making one costs a second; every test leaves it stopped.
const dataDir = join(await makeTestDir({ after }), 'data');

test('the first start makes a private, durable database that only a password opens and only a socket reaches', async (t) => {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  t.after(() => postgres.stop());
  const { connection } = postgres;

  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, 'postgres-password'))).mode & 0o777, 0o600);

  const [settings] = await query(
    connection,
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('data_checksums') AS data_checksums, current_setting('listen_addresses') AS listen_addresses,
       current_setting('TimeZone') AS time_zone, current_setting('server_encoding') AS encoding,
       (SELECT datlocprovider::text || ' ' || datlocale FROM pg_database WHERE datname = current_database()) AS locale,
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser`,
  );
  assert.deepEqual(settings, {
    fsync: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    time_zone: 'UTC',
    encoding: 'UTF8',
    locale: 'b C.UTF-8',
    superuser: false,
  });
  assert.equal(await countTcpListeners(dataDir), 0);
  await assert.rejects(query({ ...connection, password: 'wrong' }, 'SELECT 1'), { code: '28P01' });
  await assert.rejects(query({ ...connection, user: 'postgres' }, 'SELECT 1'), { code: '28P01' });
});

test('stop shuts down in order, frees the directory and can be called again; the data is there at the next start', async (t) => {
  const first = await startEmbeddedPostgres({ dataDir, log: quiet });
  await query(first.connection, 'CREATE TABLE kept AS SELECT 7 AS n');
  const open = new pg.Client(first.connection);
  open.on('error', quiet);
  await open.connect();
  await open.query('BEGIN');
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  assert.deepEqual(await first.exited, { code: 0, signal: null });
  assert.deepEqual(await listProcesses(dataDir), []);

  const log: string[] = [];
  const second = await startEmbeddedPostgres({ dataDir, log: (_level, message) => log.push(message) });
  t.after(() => second.stop());
  assert.deepEqual(await query(second.connection, 'SELECT n FROM kept'), [{ n: 7 }]);
  assert.equal(log.filter((line) => line.includes('recovery')).length, 0);
});

test('a second start on the directory is refused with the pid of the first, which continues', async (t) => {
  const first = await startPostgresStandIn(t, dataDir);
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), (error) => {
    assert(error instanceof EmbeddedPostgresError);
    assert.match(error.message, new RegExp(`in use by process ${first.process.pid}\\.`));
    return true;
  });
  assert.deepEqual(await query(first.connection, 'SELECT 1 AS n'), [{ n: 1 }]);
  assert.equal(await readServerPid(dataDir), first.postgresPid);
});

test('a caller that holds the lock of the directory starts under it and keeps it', async () => {
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, lock });
  await postgres.stop();
  await assert.rejects(lockDataDir(dataDir), { name: 'DataDirInUseError' });
  await lock.release();
});

test('Ctrl-C in the terminal does not reach PostgreSQL', async (t) => {
  const { process: standIn, connection } = await startPostgresStandIn(t, dataDir);
  process.kill(-(standIn.pid ?? 0), 'SIGINT'); // to the whole process group, as the terminal does
  assert.deepEqual(await query(connection, 'SELECT 1 AS n'), [{ n: 1 }]);
  standIn.kill('SIGTERM');
  await waitFor(async () => standIn.exitCode === 0);
  assert.deepEqual(await listProcesses(dataDir), []);
});

test('an unexpected exit of PostgreSQL is seen, and stop still frees the directory', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  kill(await readServerPid(dataDir));
  assert.deepEqual(await postgres.exited, { code: null, signal: 'SIGKILL' });
  await postgres.stop();
  const next = await startEmbeddedPostgres({ dataDir, log: quiet });
  await next.stop();
});

test('settings replace the defaults, except those that safety stands on', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet, settings: { shared_buffers: '16MB' } });
  const rows = await query(postgres.connection, 'SHOW shared_buffers');
  await postgres.stop();
  assert.deepEqual(rows, [{ shared_buffers: '16MB' }]);
  for (const name of ['fsync', 'listen_addresses', 'Full_Page_Writes']) {
    const start = startEmbeddedPostgres({ dataDir, log: quiet, settings: { [name]: 'off' } });
    await assert.rejects(start, {
      name: 'EmbeddedPostgresError',
      message: new RegExp(`setting ${name} cannot`),
    });
  }
});

test('when PostgreSQL does not start, the error ends with its log and the directory is free', async () => {
  const start = startEmbeddedPostgres({ dataDir, log: quiet, settings: { no_such_setting: '1' } });
  await assert.rejects(start, {
    name: 'EmbeddedPostgresError',
    message: /did not start \(exit code 1\).*unrecognized configuration parameter "no_such_setting"/s,
  });
  const lock = await lockDataDir(dataDir);
  await lock.release();
});

test("a failed statement is its client's to report: PostgreSQL's log does not repeat it or its data", async () => {
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataDir, log: (_level, message) => log.push(message) });
  await query(postgres.connection, 'CREATE TABLE once (word text PRIMARY KEY)');
  await assert.rejects(query(postgres.connection, "INSERT INTO once VALUES ('canary'), ('canary')"), {
    code: '23505',
  });
  await postgres.stop();
  assert(log.some((line) => line.includes('ready to accept connections')));
  assert(!log.some((line) => line.includes('canary') || line.includes(postgres.connection.password)));
});

test('a lost password file is replaced by a new one', async () => {
  const first = await startEmbeddedPostgres({ dataDir, log: quiet });
  await first.stop();
  const path = join(dataDir, 'postgres-password');

  await writeFile(path, 'of another cluster\n');
  const start = startEmbeddedPostgres({ dataDir, log: quiet });
  await assert.rejects(start, {
    name: 'EmbeddedPostgresError',
    message: /cannot log in.*postgres-password.*delete it/,
  });

  await rm(path);
  const second = await startEmbeddedPostgres({ dataDir, log: quiet });
  await second.stop();
  assert.notEqual(second.connection.password, first.connection.password);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

/** The TCP sockets in state LISTEN that the cluster's processes hold. */
async function countTcpListeners(dataDir: string): Promise<number> {
  const held = new Set<string>();
  for (const { pid } of await listProcesses(dataDir)) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      held.add(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''));
    }
  }
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  return rows.filter((row) => row[3] === '0A' && held.has(`socket:[${row[9]}]`)).length;
}
