import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clusterPort } from './cluster-settings.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

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
