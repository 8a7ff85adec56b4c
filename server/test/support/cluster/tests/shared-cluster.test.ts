// nightly: kills and damages the PostgreSQL that tests share
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { runSql } from '../../fresh-database.ts';
import { findPostgresPid, isRunning } from '../../postgres-process.ts';
import { waitFor } from '../../wait-for.ts';
import { clusterLogFile, keeperName } from '../cluster-place.ts';
import { type Connection, findOrStartCluster } from '../find-or-start-cluster.ts';
import { stopCluster } from '../stop-cluster.ts';

const limitMs = 60_000;
const parent = mkdtempSync(join(tmpdir(), 'brandport-cluster-'));
const dir = join(parent, 'cluster');
after(async () => {
  await stopCluster(dir);
  rmSync(parent, { recursive: true, force: true });
});

const keeperPid = (): number => JSON.parse(readFileSync(join(dir, 'brandport.pid'), 'utf8')).pid;
const databases = async (connection: Connection) =>
  (await runSql(connection, 'select datname from pg_database')).map(({ datname }) => datname);

describe('the shared test cluster', () => {
  it('is one for all who ask at the same time', async () => {
    const found = await Promise.all(Array.from({ length: 4 }, () => findOrStartCluster(dir)));
    const started = await Promise.all(
      found.map((one) => runSql(one, 'select pg_postmaster_start_time()::text as at')),
    );
    assert.equal(new Set(started.map(([row]) => row?.['at'])).size, 1);
    assert.match(readFileSync(clusterLogFile(dir), 'utf8'), /creating the embedded database/);
  });

  it('survives a stop in order with its databases, except those that killed tests left behind', async () => {
    const before = await findOrStartCluster(dir);
    await runSql(before, 'create database brandport_template_kept');
    await runSql(before, 'create database test_left_behind');
    assert.equal(await stopCluster(dir), true);
    assert.equal(findPostgresPid(dir), null);
    assert.equal(await stopCluster(dir), false);

    const names = await databases(await findOrStartCluster(dir));
    assert.ok(names.includes('brandport_template_kept'));
    assert.ok(!names.includes('test_left_behind'));
  });

  it('is replaced when its keeper was killed, together with the PostgreSQL that nobody watches', async () => {
    const orphan = findPostgresPid(dir) ?? assert.fail('no PostgreSQL');
    const connection = await findOrStartCluster(dir);
    process.kill(keeperPid(), 'SIGKILL');
    const keepers = `select from pg_stat_activity where application_name = '${keeperName}'`;
    const isAlone = async () => (await runSql(connection, keepers)).length === 0;
    await waitFor("the end of the keeper's connection", isAlone, limitMs);
    assert.ok(isRunning(orphan));

    const names = await databases(await findOrStartCluster(dir));
    assert.ok(!isRunning(orphan));
    assert.ok(!names.includes('brandport_template_kept'), 'files that were not flushed are not trusted');
  });

  it('is replaced when its PostgreSQL was ended under it', async () => {
    const keeper = keeperPid();
    await runSql(await findOrStartCluster(dir), 'create database brandport_template_kept');
    process.kill(findPostgresPid(dir) ?? assert.fail('no PostgreSQL'), 'SIGQUIT');
    await waitFor('the end of the keeper', () => !isRunning(keeper), limitMs);
    assert.ok(!(await databases(await findOrStartCluster(dir))).includes('brandport_template_kept'));
  });

  it('is replaced when its files are damaged', async () => {
    await stopCluster(dir);
    // The control file is whole, and what PostgreSQL needs next is not.
    truncateSync(join(dir, 'postgres/global/pg_filenode.map'), 10);
    const connection = await findOrStartCluster(dir);
    assert.deepEqual(await runSql(connection, 'select 1 as one'), [{ one: 1 }]);
  });

  it('stops after the idle time without connections, and not before', async () => {
    await stopCluster(dir);
    const connection = await findOrStartCluster(dir, { idleMinutes: 1 / 60 });
    const client = new pg.Client(connection);
    await client.connect();
    const keeper = keeperPid();
    // Three idle times with a connection that does nothing, by the database's own clock.
    await client.query('select pg_sleep(3)');
    assert.ok(isRunning(keeper));
    await client.end();
    await waitFor('the end of the keeper', () => !isRunning(keeper), limitMs);
    assert.equal(findPostgresPid(dir), null);
  });

  it('shows the end of the log when it cannot start', async () => {
    const broken = join(parent, 'broken');
    await findOrStartCluster(broken).then(() => stopCluster(broken));
    // A directory instead of the password's file: no keeper can read or replace it.
    rmSync(join(broken, 'postgres-password'));
    mkdirSync(join(broken, 'postgres-password'));
    await assert.rejects(findOrStartCluster(broken), /did not start\. The end of .*EISDIR/s);
  });
});
