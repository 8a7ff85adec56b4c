import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export const clusterPort = 5432;

/** The embedded PostgreSQL cannot run. The message is for the operator: what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/**
 * The kernel releases a file lock with its process, even after kill -9 and across containers; the pid of a pid file may
 * belong to another process by then. Node has no API for locks, but an IMMEDIATE transaction of SQLite holds one.
 *
 * POSIX drops the locks of a process on a file when it closes any descriptor of it: do not open the lock file anywhere
 * else. The owner's pid is in a separate file.
 */
const lockFileName = 'brandport.lock';
const ownerFileName = 'brandport.pid';
const sqliteBusy = 5;
const ownerWaitMs = 1000;

/** Keeps held locks from being garbage-collected, which would release them silently. */
const held = new Set<DatabaseSync>();

export interface DataDirLock {
  /** The locked directory's real path. */
  readonly dataDir: string;
  release(): Promise<void>;
}

/** Another process, or another part of this one, holds the data directory. `pid` is undefined if unknown. */
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
 * Locks the data directory for this process until it ends, and creates it (mode 0700) if it is missing.
 * @throws DataDirInUseError if it is locked; Error if the directory cannot be created or written to
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

/** The owner writes its pid just after taking the lock; until then the file is missing or that of a crashed owner. */
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

/** Maximum length of a Unix socket's address, without the terminating zero byte. */
const maxSocketPathBytes = process.platform === 'darwin' ? 103 : 107;

const socketName = `.s.PGSQL.${clusterPort}`;

export interface SocketDir {
  readonly path: string;
  /** Removes what was created outside of the data directory. */
  remove(): Promise<void>;
}

/**
 * Returns the directory that will contain the socket's directory: the data directory or, if the path to the cluster is too long
 * for a socket, the system's temporary directory.
 */
export function socketParentDir(clusterDir: string): string {
  if (isShortEnough(clusterDir)) return dirname(clusterDir);
  return isShortEnough(temporarySocketDir(clusterDir, tmpdir())) ? tmpdir() : '/tmp';
}

/**
 * Prepares the directory of the socket: the cluster itself, which is private, or a private folder in the temporary directory,
 * named after the cluster, so that the next start reuses it after a crash. No server may be using the cluster.
 * @throws EmbeddedPostgresError when the folder exists and is not private
 */
export async function prepareSocketDir(
  clusterDir: string,
  owner: { readonly uid: number; readonly gid: number },
): Promise<SocketDir> {
  if (isShortEnough(clusterDir)) {
    await removeStaleSocket(clusterDir);
    return { path: clusterDir, remove: async () => {} };
  }
  const path = temporarySocketDir(clusterDir, socketParentDir(clusterDir));
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await refuseForeign(path, owner.uid);
  await chown(path, owner.uid, owner.gid);
  await removeStaleSocket(path);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Anybody can write to the temporary directory, so a folder with our name there may be an attack. */
async function refuseForeign(path: string, uid: number): Promise<void> {
  const found = await lstat(path);
  const ours = found.isDirectory() && (found.uid === uid || found.uid === process.getuid?.());
  if (ours && (found.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `${path}, where the database's socket should be, is not a private folder of uid ${uid} (it belongs to uid ` +
      `${found.uid}). Remove it, or give Brandport a data directory with a shorter path (BRANDPORT_DATA_DIR).`,
  );
}

/** The socket has a pid file, too, and the old pid may belong to another process by now. */
async function removeStaleSocket(directory: string): Promise<void> {
  for (const name of [socketName, `${socketName}.lock`]) await rm(join(directory, name), { force: true });
}

function isShortEnough(directory: string): boolean {
  return Buffer.byteLength(join(directory, socketName)) <= maxSocketPathBytes;
}

function temporarySocketDir(clusterDir: string, parent: string): string {
  return join(parent, `brandport-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)}`);
}
