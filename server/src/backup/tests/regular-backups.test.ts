import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeDataDir } from '../../../test/support/server-process.ts';
import { backupNameAt, listRegularBackups } from '../backup-folder.ts';
import { makeRegularBackup } from '../regular-backups.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** The time of a file is the machine's. Names have whole seconds. */
const start = Math.floor(Date.now() / 1_000) * 1_000;

/** Two directories, and a function that runs the job at a time. A backup is a file with the word `good`. */
async function newFolders({ keep = 3, hasCopies = false } = {}) {
  const folder = await makeDataDir();
  const [dir, copyDir] = [join(folder, 'dir'), join(folder, 'copy')];
  await mkdir(dir);
  await mkdir(copyDir);
  const settings = { dir, everyMs: hourMs, keep, copyDir: hasCopies ? copyDir : null, keyFile: null };
  const run = (afterMs: number, content = 'good') =>
    makeRegularBackup(settings, start + afterMs, {
      write: (file) => writeFile(file, content, { flag: 'wx' }),
      check: async (file) => {
        if ((await readFile(file, 'utf8')) !== 'good') throw new Error('it is damaged');
      },
    });
  return { dir, copyDir, run };
}

const hoursIn = async (dir: string) =>
  (await listRegularBackups(dir)).map(({ at }) => Math.round((at - start) / hourMs));

it('a backup is made when the newest one is old enough, and a look a little early counts', async () => {
  const { dir, run } = await newFolders();
  assert.match((await run(0)).made ?? '', /^brandport-auto-\d{8}T\d{6}Z\.tar$/);
  assert.equal((await run(45 * minuteMs)).made, null);
  assert.notEqual((await run(58 * minuteMs)).made, null);
  // After a long time without a worker, one.
  assert.notEqual((await run(100 * hourMs)).made, null);
  assert.deepEqual(await hoursIn(dir), [100, 1, 0]);
});

it('the newest ones are kept, and no other file is touched', async () => {
  const { dir, run } = await newFolders({ keep: 2 });
  const others = [
    'brandport-2026-03-01.tar',
    'brandport-auto-2026.tar',
    'brandport-auto-20260301T000000Z.tar.gz',
  ];
  for (const name of others) await writeFile(join(dir, name), 'mine');
  for (let hour = 0; hour < 5; hour += 1) await run(hour * hourMs);
  assert.deepEqual(await hoursIn(dir), [4, 3]);
  assert.deepEqual((await readdir(dir)).filter((name) => others.includes(name)).sort(), others.toSorted());
});

it('a backup that is damaged on the disk is removed, and deletes no earlier one', async () => {
  const { dir, run } = await newFolders({ keep: 1 });
  await run(0);
  for (const hour of [2, 4]) await assert.rejects(run(hour * hourMs, 'bad'), /it is damaged/);
  assert.deepEqual(await hoursIn(dir), [0]);
  await run(5 * hourMs);
  assert.deepEqual(await hoursIn(dir), [5]);
});

it('a copy that failed is made up for without another backup, and copies are counted apart', async () => {
  const { dir, copyDir, run } = await newFolders({ keep: 2, hasCopies: true });
  for (const hour of [0, 1, 2]) await run(hour * hourMs);
  assert.deepEqual(await hoursIn(copyDir), [2, 1]);
  await rm(copyDir, { recursive: true });
  await assert.rejects(run(3 * hourMs), /^Error: brandport-auto-\S+ was not copied to \S+copy: ENOENT/);
  assert.deepEqual(await hoursIn(dir), [3, 2]);
  await mkdir(copyDir);
  assert.deepEqual(await run(3 * hourMs + minuteMs), { made: null, deleted: 0 });
  assert.deepEqual(await hoursIn(copyDir), [3]);
  assert.deepEqual(await readdir(copyDir), [backupNameAt(start + 3 * hourMs)]);
});

it('another worker is not disturbed while it writes, and what a killed one left is removed', async () => {
  const { dir, run } = await newFolders();
  const draft = join(dir, `${backupNameAt(start - hourMs)}.0123456789abcdef.partial`);
  await writeFile(draft, 'half');
  assert.equal((await run(0)).made, null);
  const longAgo = (start - 7 * hourMs) / 1_000;
  await utimes(draft, longAgo, longAgo);
  assert.notEqual((await run(0)).made, null);
  assert.deepEqual(await readdir(dir), [backupNameAt(start)]);
});

it('a clock that was ahead does not stop backups', async () => {
  const { dir, run } = await newFolders();
  await writeFile(join(dir, backupNameAt(start + 50 * hourMs)), 'good');
  assert.notEqual((await run(0)).made, null);
});

it('a directory that is missing is not created: it may be one that is not mounted', async () => {
  const { dir, run } = await newFolders();
  await rm(dir, { recursive: true });
  await assert.rejects(run(0), /ENOENT/);
});
