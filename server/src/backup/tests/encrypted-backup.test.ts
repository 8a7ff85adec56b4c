// processes: backs up and restores whole databases
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { createDatabase } from '../../../test/support/fresh-database.ts';
import { blockBytes, decodeTarHeader, paddedBytes } from '../archive/tar-header.ts';
import { readBackupKeys } from '../backup-keys.ts';
import { openBackup } from '../check-backup.ts';
import { createBackup } from '../create-backup.ts';
import { finishSchema, restoreBackup } from '../restore-backup.ts';
import { filledDatabase, newFile, startQueue, stateOf } from './backup-run.ts';

const never = new AbortController().signal;
const [key, otherKey] = [randomBytes(32), randomBytes(32)];
const filled = await filledDatabase();

async function encrypted(): Promise<string> {
  const file = await newFile();
  const options = { version: '1.2.3', log: () => {}, cancelled: never, key };
  await createBackup({ main: filled, analytics: null }, file, options);
  return file;
}

const refusal = (file: string, keys: readonly Buffer[]) =>
  openBackup(file, never, keys).then(
    ({ reader }) => reader.close().then(() => 'accepted'),
    (error: Error) => error.message,
  );

/** The members of an archive: where their content starts, and its size. */
function membersOf(archive: Buffer): { name: string; start: number; bytes: number }[] {
  const members = [];
  for (let at = 0; ; ) {
    const entry = decodeTarHeader(archive.subarray(at, at + blockBytes));
    if (entry === null) return members;
    members.push({ ...entry, start: at + blockBytes });
    at += blockBytes + paddedBytes(entry.bytes);
  }
}

describe('an encrypted backup', () => {
  it('is restored with its key, which need not be the first, and is a tar of encrypted members', async () => {
    const file = await encrypted();
    const archive = await readFile(file);
    for (const { name } of membersOf(archive)) assert.match(name, /\.aes$/);
    assert.ok(!archive.includes('"brandport"'), 'the manifest is encrypted');
    const target = await createDatabase();
    const backup = await openBackup(file, never, [otherKey, key]);
    const restoreTarget = { main: target, analytics: null, prepareQueue: () => startQueue(target) };
    await restoreBackup(backup, restoreTarget, { log: () => {}, cancelled: never });
    await finishSchema(restoreTarget);
    await backup.reader.close();
    assert.deepEqual(await stateOf(target), await stateOf(filled));
  });

  it('is refused without its key', async () => {
    const file = await encrypted();
    assert.match(
      await refusal(file, []),
      /it is encrypted: set BRANDPORT_BACKUP_KEY_FILE\. Nothing was written\./,
    );
    assert.match(await refusal(file, [otherKey]), /none of the keys in BRANDPORT_BACKUP_KEY_FILE opens it/);
  });

  it('is refused when a byte is changed, wherever it is', async () => {
    const file = await encrypted();
    const archive = await readFile(file);
    for (const { name, start, bytes } of membersOf(archive))
      for (const at of [start, start + 12, start + bytes - 1]) {
        const damaged = Buffer.from(archive);
        damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
        await writeFile(file, damaged);
        assert.match(
          await refusal(file, [key]),
          /cannot be restored: (it is damaged|none of the keys)/,
          name,
        );
      }
  });

  it('is not read with members exchanged', async () => {
    const file = await encrypted();
    const archive = await readFile(file);
    const members = membersOf(archive).filter(({ name }) => name.startsWith('public.'));
    const [one, two] = members.flatMap((member) => {
      const twin = members.find(({ start, bytes }) => start > member.start && bytes === member.bytes);
      return twin === undefined ? [] : [member, twin];
    });
    assert.ok(one !== undefined && two !== undefined, 'two tables are as large');
    const mixed = Buffer.from(archive);
    archive.copy(mixed, one.start, two.start, two.start + two.bytes);
    await writeFile(file, mixed);
    assert.match(await refusal(file, [key]), /it is damaged/);
  });
});

it('a file of keys has strong ones, a line each, and says what is wrong with it', async () => {
  const file = await newFile();
  const [first, second] = ['a'.repeat(32), 'b'.repeat(64)];
  await writeFile(file, `${first}\n${second}\n`);
  const keys = await readBackupKeys(file);
  assert.deepEqual(
    keys.map(({ length }) => length),
    [32, 32],
  );
  assert.notDeepEqual(keys[0], keys[1]);
  for (const text of ['', '\n', 'short', `${first}\nshort`]) {
    await writeFile(file, text);
    await assert.rejects(readBackupKeys(file), /must have a key of at least 32 characters on each line/);
  }
  await assert.rejects(
    readBackupKeys('/nonexistent/key'),
    /\(BRANDPORT_BACKUP_KEY_FILE\) cannot be read: ENOENT/,
  );
  assert.deepEqual(await readBackupKeys(null), []);
});
