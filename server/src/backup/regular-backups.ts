import { copyFile, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomHex } from '../lib/ids.ts';
import { BackupError } from './backup-error.ts';
import { backupNameAt, dropOldBackups, isBeingWritten, listRegularBackups } from './backup-folder.ts';
import type { BackupSettings } from './backup-settings.ts';

/** Less than the time between two looks of the job, so that a backup is not made a whole look late. */
const earlyMs = 5 * 60_000;

export interface BackupTools {
  /** Writes a backup to a new file, which appears complete or not at all. */
  write(file: string): Promise<void>;
  /** Reads a backup and compares it with its checksums. @throws when it is damaged */
  check(file: string): Promise<void>;
}

export interface BackupRun {
  /** The name of the new backup; null: none was due, or another worker is writing one. */
  readonly made: string | null;
  readonly deleted: number;
}

/**
 * Makes a backup if the newest one is old enough, reads it again, and only then deletes those that are too many. Then copies the
 * newest one, unless the copy exists. A failure leaves all earlier backups.
 * @param now milliseconds since 1970
 * @throws BackupError, or what the tools and the system throw
 */
export async function makeRegularBackup(
  { dir, everyMs, keep, copyDir }: BackupSettings & { readonly dir: string },
  now: number,
  { write, check }: BackupTools,
): Promise<BackupRun> {
  if (await isBeingWritten(dir, now)) return { made: null, deleted: 0 };
  let [newest] = await listRegularBackups(dir);
  let [made, deleted]: [string | null, number] = [null, 0];
  // One of the future was named by a clock that has been corrected since.
  if (newest === undefined || Math.abs(now - newest.at) > everyMs - earlyMs) {
    newest = { name: backupNameAt(now), at: now };
    const file = join(dir, newest.name);
    await write(file);
    await removedUnless(check(file), file);
    made = newest.name;
    deleted = await dropOldBackups(dir, keep);
  }
  if (copyDir !== null) deleted += await copyBackup({ dir, copyDir, keep, name: newest.name, now }, check);
  return { made, deleted };
}

interface Copy {
  readonly dir: string;
  readonly copyDir: string;
  readonly keep: number;
  readonly name: string;
  readonly now: number;
}

/** Copies a backup unless it was, reads the copy, and deletes copies that are too many. Returns how many. */
async function copyBackup(
  { dir, copyDir, keep, name, now }: Copy,
  check: BackupTools['check'],
): Promise<number> {
  try {
    const copies = await listRegularBackups(copyDir);
    if (copies.some((one) => one.name === name) || (await isBeingWritten(copyDir, now))) return 0;
    const draft = join(copyDir, `${name}.${randomHex(8)}.partial`);
    await removedUnless(
      (async () => {
        await copyFile(join(dir, name), draft);
        await flush(draft);
        await check(draft);
        await rename(draft, join(copyDir, name));
      })(),
      draft,
    );
    await flush(copyDir);
    return await dropOldBackups(copyDir, keep);
  } catch (cause) {
    throw new BackupError(`${name} was not copied to ${copyDir}: ${(cause as Error).message}`, { cause });
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Deletes the file if the work fails, and throws its error. */
async function removedUnless(work: Promise<void>, file: string): Promise<void> {
  await work.catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
}
