import assert from 'node:assert/strict';
import { access, chmod, lstat, mkdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { prepareSocketDir } from '../data-dir.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { makeTestDir, query, quiet } from './embedded-postgres.ts';

const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

test('a data directory with a path too long for a socket works, and leaves nothing behind elsewhere', async (t) => {
  const dataDir = join(await makeTestDir(t), 'd'.repeat(120));
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  t.after(() => postgres.stop());
  const { host } = postgres.connection;
  assert.equal(dirname(host), tmpdir());
  assert.equal((await lstat(host)).mode & 0o777, 0o700);
  assert.deepEqual(await query(postgres.connection, 'SELECT 1 AS n'), [{ n: 1 }]);
  await postgres.stop();
  await assert.rejects(access(host), { code: 'ENOENT' });
});

test('the folder has the same name every time, and one that others can enter or that is a link is refused', async (t) => {
  const clusterDir = join(await makeTestDir(t), 'd'.repeat(120), 'postgres');
  const { path, remove } = await prepareSocketDir(clusterDir, self);
  t.after(remove);
  assert.equal((await prepareSocketDir(clusterDir, self)).path, path);
  const refusal = { name: 'EmbeddedPostgresError', message: new RegExp(`${path}.*not a private folder`) };

  await chmod(path, 0o755);
  await assert.rejects(prepareSocketDir(clusterDir, self), refusal);
  await rmdir(path);
  const elsewhere = join(await makeTestDir(t), 'elsewhere');
  await mkdir(elsewhere, { mode: 0o700 });
  await symlink(elsewhere, path);
  await assert.rejects(prepareSocketDir(clusterDir, self), refusal);
  await unlink(path);
});
