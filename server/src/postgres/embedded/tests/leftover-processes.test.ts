import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { findBinaries } from '../binaries.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { chooseRunAs, spawnAs } from '../run-as.ts';
import {
  kill,
  killAndWait,
  listProcesses,
  makeTestDir,
  query,
  quiet,
  readServerPid,
  startPostgresStandIn,
  waitFor,
} from './embedded-postgres.ts';

// One cluster for the whole file, since making one costs a second.
const dataDir = await makeTestDir({ after });
const clusterDir = join(dataDir, 'postgres');

test('PostgreSQL that outlived a killed server is shut down in order and replaced, open transactions or not', async (t) => {
  const killed = await startPostgresStandIn(t, dataDir);
  await query(killed.connection, 'CREATE TABLE kept AS SELECT 7 AS n');
  const open = new pg.Client(killed.connection);
  open.on('error', quiet);
  await open.connect();
  await open.query('BEGIN; UPDATE kept SET n = 8');
  await killAndWait(killed.process);
  process.kill(killed.postgresPid, 0); // it does outlive it

  const log: string[] = [];
  const next = await startEmbeddedPostgres({ dataDir, log: (_level, message) => log.push(message) });
  t.after(() => next.stop());
  assert(!(await listProcesses(dataDir)).some(({ pid }) => pid === killed.postgresPid));
  assert.deepEqual(await query(next.connection, 'SELECT n FROM kept'), [{ n: 7 }]);
  assert(
    log.some((line) => line.includes('database system was shut down at')),
    'it was shut down, not killed',
  );
});

test('what was committed survives when the server and PostgreSQL are both killed', async (t) => {
  const killed = await startPostgresStandIn(t, dataDir);
  await query(killed.connection, 'CREATE TABLE committed (n int)');
  for (let n = 1; n <= 20; n++) await query(killed.connection, `INSERT INTO committed VALUES (${n})`);
  kill(killed.postgresPid);
  await killAndWait(killed.process);

  const next = await startEmbeddedPostgres({ dataDir, log: quiet });
  t.after(() => next.stop());
  assert.deepEqual(await query(next.connection, 'SELECT count(*)::int AS n FROM committed'), [{ n: 20 }]);
});

test('a process that is busy with a long statement after its PostgreSQL was killed does not prevent the start', async (t) => {
  const killed = await startPostgresStandIn(t, dataDir);
  const busy = query(killed.connection, 'SELECT count(*) FROM generate_series(1, 100000000000)');
  busy.catch(quiet);
  const active = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate\\_series%' AND pid <> pg_backend_pid()`;
  await waitFor(async () => (await query(killed.connection, active)).length === 1);
  kill(killed.postgresPid);
  await killAndWait(killed.process);
  assert.notDeepEqual(await listProcesses(dataDir), []);

  const next = await startEmbeddedPostgres({ dataDir, log: quiet });
  t.after(() => next.stop());
  assert.deepEqual(await query(next.connection, 'SELECT 1 AS n'), [{ n: 1 }]);
  await assert.rejects(busy);
});

test('pid files that name another process by now do not prevent the start', async () => {
  const first = await startEmbeddedPostgres({ dataDir, log: quiet });
  await first.stop();
  const { uid, gid } = await stat(clusterDir);
  for (const pid of [1, process.pid, process.ppid, 4_000_000]) {
    const content = `${pid}\n${clusterDir}\n1700000000\n5432\n${clusterDir}\n\n  123456 42\nready   \n`;
    for (const path of [join(clusterDir, 'postmaster.pid'), join(clusterDir, '.s.PGSQL.5432.lock')]) {
      await writeFile(path, content);
      await chown(path, uid, gid);
    }
    const next = await startEmbeddedPostgres({ dataDir, log: quiet });
    assert.notEqual(await readServerPid(dataDir), pid);
    await next.stop();
  }
});

test('a PostgreSQL that somebody started by hand on the cluster is named and left alone', async (t) => {
  const first = await startEmbeddedPostgres({ dataDir, log: quiet });
  await first.stop();
  const runAs = await chooseRunAs(clusterDir);
  const args = ['-D', clusterDir, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${clusterDir}`];
  const byHand = spawnAs(runAs, findBinaries().postgres, args, 'ignore');
  t.after(() => byHand.kill('SIGKILL'));
  await waitFor(async () => (await readServerPid(dataDir).catch(() => 0)) === byHand.pid);

  await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), {
    name: 'EmbeddedPostgresError',
    message: new RegExp(`did not start \\(process ${byHand.pid}\\)`),
  });
  assert.equal(byHand.exitCode, null);
  byHand.kill('SIGINT');
  await once(byHand, 'exit');
});

test('a program that only mentions the name of the cluster is not touched', async (t) => {
  const killed = await startPostgresStandIn(t, dataDir);
  const [row] = await query(killed.connection, 'SHOW cluster_name');
  const bystander = spawn('tail', ['-f', '/dev/null', `cluster_name=${row.cluster_name}`], {
    stdio: 'ignore',
  });
  t.after(() => bystander.kill('SIGKILL'));
  await killAndWait(killed.process);
  const next = await startEmbeddedPostgres({ dataDir, log: quiet });
  await next.stop();
  assert.equal(bystander.exitCode ?? bystander.signalCode, null);
});
