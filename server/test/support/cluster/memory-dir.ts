import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Twice of what a whole run occupies at most. */
const neededBytes = 4 * 1024 ** 3;

const prefix = 'brandport-test-memory-';

/**
 * Makes the directory of a run's PostgreSQL: in memory where the system has a large enough `/dev/shm`, otherwise in the
 * temporary directory. Every test file copies a database of some 350 files, and creating them on a disk takes more
 * processor time than the tests' statements on it. Removes the directories of runs that were killed.
 *
 * @param memory where the system keeps files in memory
 */
export function makeClusterDir(memory = '/dev/shm'): string {
  const parent = hasRoom(memory) ? memory : tmpdir();
  removeAbandoned(parent);
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`));
}

function hasRoom(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** The name has the process id of the run. A directory of another user cannot be removed and is left. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN);
    if (!Number.isInteger(pid) || isRunning(pid) || hasServer(join(parent, name))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {}
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** PostgreSQL outlives a killed run for a moment. */
function hasServer(dir: string): boolean {
  try {
    return isRunning(Number.parseInt(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8'), 10));
  } catch {
    return false;
  }
}
