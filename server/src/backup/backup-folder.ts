import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

// Names of the files that the job makes. No other file is deleted.
const finished = /^brandport-auto-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar$/;
const partial = /^brandport-auto-\d{8}T\d{6}Z\.tar\.[0-9a-f]+\.partial$/;

/** A partial file that was written to within this time belongs to a worker that is writing it. */
const writingMs = 10 * 60_000;
/** The limit of the job: a partial file this old was left by a killed worker. */
const leftAfterMs = 6 * 60 * 60_000;

export interface RegularBackup {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function backupNameAt(at: number): string {
  return `brandport-auto-${new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar`;
}

/** Lists the backups in a directory, newest first. */
export async function listRegularBackups(dir: string): Promise<RegularBackup[]> {
  const backups: RegularBackup[] = [];
  for (const name of await readdir(dir)) {
    const [year, month, ...rest] = finished.exec(name)?.slice(1).map(Number) ?? [];
    if (year === undefined || month === undefined) continue;
    backups.push({ name, at: Date.UTC(year, month - 1, ...(rest as [number, number, number, number])) });
  }
  return backups.sort((a, b) => b.at - a.at);
}

/** Deletes all but the newest `keep` backups, and returns the number of those that it deleted. */
export async function dropOldBackups(dir: string, keep: number): Promise<number> {
  const old = (await listRegularBackups(dir)).slice(keep);
  for (const { name } of old) await rm(join(dir, name), { force: true });
  return old.length;
}

/** Deletes what killed workers left, and returns whether another one is writing. */
export async function isBeingWritten(dir: string, now: number): Promise<boolean> {
  let isBusy = false;
  for (const name of (await readdir(dir)).filter((one) => partial.test(one))) {
    const file = await stat(join(dir, name)).catch(() => null);
    const ageMs = now - (file?.mtimeMs ?? now);
    isBusy ||= ageMs < writingMs;
    if (ageMs > leftAfterMs) await rm(join(dir, name), { force: true });
  }
  return isBusy;
}
