import { chmod, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A file lock instead of a pid file: a pid says nothing after a crash (it may belong to another process by
 * then, and every container starts counting at 1 again), while the kernel drops a lock with the process that
 * held it, kill -9 included, and works across containers that share a volume. Node has no lock call of its
 * own, but it includes SQLite, which does: an open IMMEDIATE transaction holds a lock that at most one
 * process can have. It is taken in one step (no "nobody won" among simultaneous starts) and nothing is ever
 * written to the file.
 *
 * POSIX drops all of a process's locks on a file when it closes any descriptor of that file, so nothing in
 * this process may open the lock file itself; the owner's pid, needed only for the message, is in a separate
 * file.
 */
const lockFileName = 'brandport.lock';
const ownerFileName = 'brandport.pid';
const sqliteBusy = 5;
const ownerWaitMs = 1000;

/** A collected handle would release its lock silently; this keeps every held one alive. */
const held = new Set<DatabaseSync>();

export interface DataDirLock {
  /** The locked directory's real path. */
  readonly dataDir: string;
  /** Lets the next process in. Safe to call more than once. */
  release(): Promise<void>;
}

/** Another process, or another part of this one, holds the data directory. `pid` is undefined when it is not known. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  readonly pid: number | undefined;

  constructor(dataDir: string, owner: Owner | undefined) {
    const where = owner === undefined || owner.host === hostname() ? '' : ` on host ${owner.host}`;
    const who = owner === undefined ? 'another process' : `process ${owner.pid}${where}`;
    super(
      `The data directory ${dataDir} is in use by ${who}. Stop that process first, or use a different data ` +
        'directory (BRANDPORT_DATA_DIR).',
    );
    this.pid = owner?.pid;
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

/**
 * Takes the data directory for this process, creating it (mode 0700) when it is absent.
 *
 * Of any number of simultaneous callers, in one or several processes, exactly one succeeds. The lock goes with the
 * process, however that ends.
 *
 * @throws DataDirInUseError when somebody else has it
 * @throws Error when the directory cannot be created or written to
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const realDir = await realpath(dataDir);
  const lock = takeLock(realDir);
  if (lock === undefined) throw new DataDirInUseError(realDir, await findOwner(realDir));

  held.add(lock);
  const ownerFile = join(realDir, ownerFileName);
  try {
    await chmod(join(realDir, lockFileName), 0o600);
    await writeFile(`${ownerFile}.new`, JSON.stringify({ pid: process.pid, host: hostname() }), {
      mode: 0o600,
    });
    await rename(`${ownerFile}.new`, ownerFile);
  } catch (error) {
    held.delete(lock);
    lock.close();
    throw error;
  }
  return {
    dataDir: realDir,
    async release() {
      if (!held.delete(lock)) return;
      await rm(ownerFile, { force: true });
      lock.close();
    },
  };
}

function takeLock(dataDir: string): DatabaseSync | undefined {
  const path = join(dataDir, lockFileName);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw new Error(
      `The data directory ${dataDir} cannot be locked: ${error instanceof Error ? error.message : error}. ` +
        `The user that runs Brandport (uid ${process.getuid?.()}) must be able to write to it and to ${path}.`,
    );
  }
}

/** The owner writes its pid just after taking the lock: until then the file is absent, or a crashed owner's. */
async function findOwner(dataDir: string): Promise<Owner | undefined> {
  for (const deadline = performance.now() + ownerWaitMs; performance.now() < deadline; await sleep(20)) {
    const owner = await readOwner(join(dataDir, ownerFileName));
    if (owner !== undefined && (owner.host !== hostname() || isAlive(owner.pid))) return owner;
  }
  return undefined;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const { pid, host } = JSON.parse(await readFile(path, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
