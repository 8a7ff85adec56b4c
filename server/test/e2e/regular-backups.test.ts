import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { randomHex } from '../../src/lib/ids.ts';
import { registerCanary } from '../support/canaries.ts';
import { createDatabase, runSql } from '../support/fresh-database.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

/** The environment of a worker with two directories and a key, and its database. */
async function newWorker() {
  const folder = await makeDataDir();
  const [dir, copyDir, keyFile] = ['dir', 'copy', 'key'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [dir, copyDir]) await mkdir(one);
  const key = randomHex(32);
  registerCanary(key);
  await writeFile(keyFile, `${key}\n`);
  const address = await createDatabase();
  const env = {
    DATABASE_URL: databaseUrl(address),
    BRANDPORT_DATA_DIR: join(folder, 'data'),
    BRANDPORT_ROLE: 'worker',
    BRANDPORT_BACKUP_DIR: dir,
    BRANDPORT_BACKUP_COPY_DIR: copyDir,
    BRANDPORT_BACKUP_KEY_FILE: keyFile,
  };
  return { address, env, dir, copyDir };
}

const metric = async (server: ServerProcess, name: string) => {
  const text = await (await fetch(`${server.internalUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

const jobs = `select state::text as state, output->>'message' as message from pgboss.job where name = 'make-backup'`;

describe('the backups of workers', { concurrency: 2 }, () => {
  it('are made once by two workers, copied, encrypted, counted and restored', async () => {
    const { address, env, dir, copyDir } = await newWorker();
    assert.equal((await runCommand(env, 'migrate')).code, 0);
    const [first, second] = await Promise.all([startServerProcess({ env }), startServerProcess({ env })]);
    await waitFor(
      'the copy',
      async () => (await readdir(copyDir)).some((name) => name.endsWith('.tar')),
      60_000,
    );
    await waitFor('the jobs', async () => {
      const states = await runSql<{ state: string }>(address, jobs);
      return states.every(({ state }) => state === 'completed');
    });
    const names = await readdir(dir);
    assert.equal(names.length, 1, names.join());
    assert.deepEqual(await readdir(copyDir), names);
    for (const place of ['dir', 'copy']) {
      const name = `brandport_backup_last_success_timestamp_seconds\\{place="${place}"\\}`;
      await waitFor(
        place,
        async () => Math.abs((await metric(first, name)) - Date.now() / 1_000) < 300,
        70_000,
      );
    }
    assert.equal(await metric(second, 'brandport_backup_interval_seconds'), 3_600);
    for (const server of [first, second]) assert.equal((await server.stop()).code, 0);

    const copy = join(copyDir, names[0] as string);
    const verified = await runCommand(env, 'backup', 'verify', copy);
    assert.equal(verified.code, 0, verified.stderr);
    const { code, stderr } = await runCommand(
      { ...env, BRANDPORT_BACKUP_KEY_FILE: '' },
      'backup',
      'verify',
      copy,
    );
    assert.equal(code, 1);
    assert.match(stderr, /it is encrypted: set BRANDPORT_BACKUP_KEY_FILE/);
  });

  it('fail as a job that says why, and the worker continues', async () => {
    const { address, env, dir, copyDir } = await newWorker();
    await rm(dir, { recursive: true });
    const server = await startServerProcess({ env });
    const failed = await waitFor(
      'the failed job',
      async () => {
        const [job] = await runSql<{ state: string; message: string }>(address, jobs);
        return job?.state === 'failed' ? job : null;
      },
      30_000,
    );
    assert.match(failed.message, /^No backup was written to \S+dir: ENOENT/);
    assert.equal(await metric(server, 'brandport_backup_last_success_timestamp_seconds\\{place="dir"\\}'), 0);
    assert.deepEqual(await readdir(copyDir), []);
    assert.equal((await fetch(`${server.internalUrl}/readyz`)).status, 200);
    assert.equal((await server.stop()).code, 0);
  });
});
