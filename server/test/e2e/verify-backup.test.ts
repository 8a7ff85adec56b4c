import assert from 'node:assert/strict';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasCluster } from '../../src/postgres/embedded/running-cluster.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { type RunningCommand, runCommand, startCommand } from '../support/run-command.ts';
import { makeDataDir } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** A backup of a new database, the database, and the environment of commands on it. */
async function backedUp(change?: string) {
  const address = await createDatabase();
  const folder = await makeDataDir();
  const env = { DATABASE_URL: databaseUrl(address), BRANDPORT_DATA_DIR: join(folder, 'data') };
  assert.equal((await runCommand(env, 'migrate')).code, 0);
  assert.equal((await runCommand(env, 'brand', 'create', 'Kept')).code, 0);
  if (change !== undefined) await runSql(address, change);
  const file = join(folder, 'backup.tar');
  const { code, stderr } = await runCommand(env, 'backup', file);
  assert.equal(code, 0, stderr);
  return { address, env, file };
}

/** Waits until a rehearsal has created its PostgreSQL. */
async function waitForRehearsal({ child }: RunningCommand, dataDir: string): Promise<void> {
  await waitFor('the database of the rehearsal', async () => {
    assert.equal(child.exitCode, null);
    const [name] = await readdir(dataDir).catch(() => []);
    return name !== undefined && (await hasCluster(join(dataDir, name, 'data')));
  });
}

describe('brandport backup verify', { concurrency: 2 }, () => {
  it('restores and examines the backup, and leaves nothing behind', async () => {
    const { address, env, file } = await backedUp();
    const unchanged = `select (select count(*)::integer from brands) as brands, pg_current_xact_id_if_assigned() as xid`;
    const before = await runSql(address, unchanged);
    const verified = await runCommand(env, 'backup', 'verify', file);
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(
      verified.stdout,
      /^Restored \d+ tables, \d+ rows, as of \d{4}-\S+, in [\d.]+ s\.\nExamined 1 brand: everything adds up\.\n$/,
    );
    assert.deepEqual(await readdir(env.BRANDPORT_DATA_DIR), []);
    assert.deepEqual(await runSql(address, unchanged), before);
  });

  it('needs no database but its own', async () => {
    const { file } = await backedUp();
    const env = { BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data') };
    for (const DATABASE_URL of ['postgresql://b@127.0.0.1:1/none', '']) {
      const { code, stderr } = await runCommand({ ...env, DATABASE_URL }, 'backup', 'verify', file);
      assert.equal(code, 0, stderr);
    }
  });

  it('exits with 1 and names what does not add up', async () => {
    const { env, file } = await backedUp('update brand_catalogs set products_total = 9');
    const wrong = await runCommand(env, 'backup', 'verify', file);
    assert.equal(wrong.code, 1, wrong.stderr);
    assert.match(wrong.stdout, /^Restored .*\n.*products_total/s);
    assert.deepEqual(await readdir(env.BRANDPORT_DATA_DIR), []);
  });

  it('refuses a truncated file', async () => {
    const { env, file } = await backedUp();
    await truncate(file, 20_000);
    const { code, stdout, stderr } = await runCommand(env, 'backup', 'verify', file);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /cannot be restored: it is truncated\. Nothing was written\.$/m);
    assert.deepEqual(await readdir(env.BRANDPORT_DATA_DIR), []);
  });

  it('removes what it made when it is interrupted', async () => {
    const { env, file } = await backedUp();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const running = startCommand(env, 'backup', 'verify', file);
      await waitForRehearsal(running, env.BRANDPORT_DATA_DIR);
      running.child.kill(signal);
      const { code, stderr } = await running.outcome;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /^Stopped/m);
      assert.deepEqual(await readdir(env.BRANDPORT_DATA_DIR), []);
    }
  });

  it('removes what a killed one left, and disturbs none that is running', async () => {
    const { env, file } = await backedUp();
    const killed = startCommand(env, 'backup', 'verify', file);
    await waitForRehearsal(killed, env.BRANDPORT_DATA_DIR);
    killed.child.kill('SIGKILL');
    await killed.outcome;
    const left = await readdir(env.BRANDPORT_DATA_DIR);
    assert.equal(left.length, 1);
    const first = startCommand(env, 'backup', 'verify', file);
    await waitFor('the clean-up', async () => {
      const names = await readdir(env.BRANDPORT_DATA_DIR);
      return names.length === 1 && names[0] !== left[0];
    });
    const both = await Promise.all([first.outcome, runCommand(env, 'backup', 'verify', file)]);
    for (const { code, stderr } of both) assert.equal(code, 0, stderr);
    assert.deepEqual(await readdir(env.BRANDPORT_DATA_DIR), []);
  });
});
