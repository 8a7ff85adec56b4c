import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import {
  killAndWait,
  listProcesses,
  makeTestDir,
  query,
  quiet,
  startStandIn,
  waitFor,
} from './embedded-postgres.ts';

/** The states of the data directory that are visible during a first start. */
const moments = [
  'brandport.lock',
  'postgres.new-PID',
  'postgres.new-PID/PG_VERSION',
  'postgres.new-PID/base/5',
  'postgres',
  'postgres/postmaster.pid',
];

test('a first start that is killed at any moment is made good by the next one', async (t) => {
  for (const moment of moments) {
    const dataDir = join(await makeTestDir(t), 'data');
    const { process: killed } = startStandIn(t, { take: 'postgres', dataDir });
    await waitFor(async () => existsSync(join(dataDir, moment.replace('PID', String(killed.pid)))));
    await killAndWait(killed);

    const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
    const [row] = await query(postgres.connection, 'SELECT current_database() AS name');
    await postgres.stop();
    assert.equal(row.name, 'brandport', `killed when there was ${moment}`);
    assert.deepEqual((await readdir(dataDir)).sort(), ['brandport.lock', 'postgres', 'postgres-password']);
    assert.deepEqual(await listProcesses(dataDir), []);
  }
});

test('a first start that is cancelled at any moment ends at once and leaves no process', async (t) => {
  const dataDir = join(await makeTestDir(t), 'data');
  const reason = new Error('cancelled');
  // From the last moment on there is a cluster, which a next start does not make again.
  for (const moment of moments) {
    const cancelling = new AbortController();
    const start = startEmbeddedPostgres({ dataDir, log: quiet, cancelled: cancelling.signal });
    await waitFor(async () => existsSync(join(dataDir, moment.replace('PID', String(process.pid)))));
    cancelling.abort(reason);
    await assert.rejects(start, reason, `cancelled when there was ${moment}`);
    assert.deepEqual(await listProcesses(dataDir), []);
  }
  const cancelling = new AbortController();
  const log = (_: string, line: string) => line.includes('connection received') && cancelling.abort(reason);
  const options = { settings: { log_connections: 'on' }, cancelled: cancelling.signal };
  await assert.rejects(startEmbeddedPostgres({ dataDir, log, ...options }), reason, 'at its first login');
  assert.deepEqual(await listProcesses(dataDir), []);
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  await postgres.stop();
});

test('of simultaneous first starts exactly one makes the cluster and the others learn who has it', async (t) => {
  for (let round = 0; round < 2; round++) {
    const dataDir = join(await makeTestDir(t), 'data');
    const standIns = [1, 2, 3].map(() => startStandIn(t, { take: 'postgres', dataDir }));
    const answers = await Promise.all(standIns.map(({ answer }) => answer));
    const winner = standIns[answers.findIndex(({ taken }) => taken)];
    assert.equal(answers.filter(({ taken }) => taken).length, 1);
    for (const answer of answers) {
      if (answer.taken) continue;
      assert.equal(answer.error, 'EmbeddedPostgresError');
      assert.match(answer.message, new RegExp(`in use by process ${winner?.process.pid}\\.`));
    }
    await Promise.all(standIns.map(({ process }) => killAndWait(process)));
  }
});

test('a cluster of another major version is refused with both versions and the ways out, and left alone', async (t) => {
  const dataDir = await makeTestDir(t);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), {
    name: 'EmbeddedPostgresError',
    message: /created by PostgreSQL 17; this Brandport uses PostgreSQL 18,.*pg_dump.*DATABASE_URL/,
  });
  assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['PG_VERSION']);
});

test('a directory with something else in it is not touched', async (t) => {
  const dataDir = await makeTestDir(t);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'notes.txt'), 'mine');
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: quiet }), {
    name: 'EmbeddedPostgresError',
    message: /is not empty, but contains no PostgreSQL cluster/,
  });
  assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['notes.txt']);
});
