import assert from 'node:assert/strict';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DataDirInUseError, lockDataDir } from '../data-dir.ts';
import { killAndWait, makeTestDir, startStandIn } from './embedded-postgres.ts';

test('a data directory that is absent is made for its owner only, and so are the files of the lock', async (t) => {
  const dataDir = join(await makeTestDir(t), 'below', 'data');
  const lock = await lockDataDir(dataDir);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, 'brandport.lock'))).mode & 0o777, 0o600);
  assert.equal((await stat(join(dataDir, 'brandport.pid'))).mode & 0o777, 0o600);
  await lock.release();
});

test('within one process the second taker is refused until the first lets go, and letting go twice is harmless', async (t) => {
  const dataDir = await makeTestDir(t);
  const first = await lockDataDir(dataDir);
  // two times: a refusal must not have loosened the lock
  for (const _ of [1, 2]) await assert.rejects(lockDataDir(dataDir), DataDirInUseError);
  const other = startStandIn(t, { take: 'lock', dataDir });
  assert.equal((await other.answer).taken, false);
  await first.release();
  const second = await lockDataDir(dataDir);
  await first.release();
  await assert.rejects(lockDataDir(dataDir), DataDirInUseError);
  await second.release();
});

test('another process is refused with the pid of the owner, also on another path to the directory', async (t) => {
  const dir = await makeTestDir(t);
  const dataDir = join(dir, 'data');
  const owner = startStandIn(t, { take: 'lock', dataDir });
  assert.equal((await owner.answer).taken, true);
  await symlink(dataDir, join(dir, 'link'));
  for (const path of [dataDir, join(dir, 'link')]) {
    await assert.rejects(lockDataDir(path), (error) => {
      assert(error instanceof DataDirInUseError);
      assert.equal(error.pid, owner.process.pid);
      assert.match(error.message, new RegExp(`in use by process ${owner.process.pid}\\.`));
      return true;
    });
  }
});

test('a killed owner leaves the directory free, even if another process has its pid by now', async (t) => {
  const dataDir = await makeTestDir(t);
  const owner = startStandIn(t, { take: 'lock', dataDir });
  assert.equal((await owner.answer).taken, true);
  await killAndWait(owner.process);
  // as after a container's restart, where the same numbers are given out again
  await writeFile(join(dataDir, 'brandport.pid'), JSON.stringify({ pid: process.ppid, host: hostname() }));
  const lock = await lockDataDir(dataDir);
  assert.equal(JSON.parse(await readFile(join(dataDir, 'brandport.pid'), 'utf8')).pid, process.pid);
  await lock.release();
});

test('of many processes that take one directory at the same time exactly one gets it, round after round', async (t) => {
  const dir = await makeTestDir(t);
  for (let round = 0; round < 5; round++) {
    const dataDir = join(dir, `round-${round}`);
    const standIns = Array.from({ length: 6 }, () => startStandIn(t, { take: 'lock', dataDir }));
    const answers = await Promise.all(standIns.map(({ answer }) => answer));
    const winner = standIns[answers.findIndex(({ taken }) => taken)];
    assert.equal(answers.filter(({ taken }) => taken).length, 1);
    for (const answer of answers) {
      if (!answer.taken)
        assert.match(answer.message, new RegExp(`in use by process ${winner?.process.pid}\\.`));
    }
    for (const standIn of standIns) standIn.process.kill('SIGKILL');
  }
});

test('a directory that cannot be written to is refused with its path', async (t) => {
  const dataDir = await makeTestDir(t);
  await mkdir(join(dataDir, 'brandport.lock'));
  await assert.rejects(lockDataDir(dataDir), (error) => {
    assert(error instanceof Error && !(error instanceof DataDirInUseError));
    assert.match(error.message, /cannot be locked/);
    assert(error.message.includes(dataDir));
    return true;
  });
});
