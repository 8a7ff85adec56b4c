import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Twice of what a whole run occupies at most. */
const neededBytes = 8 * 1024 ** 3;

const prefix = 'brandport-run-';

/** Where a run of the tests keeps its files. */
export interface RunDir {
  readonly path: string;
  /** The data directory of the run's PostgreSQL. */
  readonly cluster: string;
  /** The temporary directory of its tests, as open to other users as the system's. */
  readonly temporary: string;
}

/**
 * Makes the directory of a run: in memory where the system has a large enough `/dev/shm`, otherwise in the temporary
 * directory. On a disk, tests wait for flushes most of the time, and copying a database of 350 files costs more processor
 * time than the statements on it. Removes the directories of runs that were killed.
 *
 * @param memory where the system keeps files in memory
 */
export function makeRunDir(memory = '/dev/shm'): RunDir {
  const parent = hasRoom(memory) ? memory : tmpdir();
  removeAbandoned(parent);
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const temporary = join(path, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  chmodSync(path, 0o711);
  return { path, cluster: join(path, 'cluster'), temporary };
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
    return isRunning(Number.parseInt(readFileSync(join(dir, 'cluster/postgres/postmaster.pid'), 'utf8'), 10));
  } catch {
    return false;
  }
}
