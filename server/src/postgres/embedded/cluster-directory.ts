import { execFile } from 'node:child_process';
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, ownServerInstead } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Returns the PostgreSQL major version that created the cluster; undefined if there is no cluster yet.
 * @throws EmbeddedPostgresError when the directory holds something else
 */
export async function findClusterVersion(clusterDir: string): Promise<string | undefined> {
  const entries = await readdir(clusterDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw new EmbeddedPostgresError(
      `${clusterDir} cannot be read by the user that runs Brandport (uid ${process.getuid?.()}): ` +
        `${error.message}. Start Brandport as the user who owns it.`,
    );
  });
  if (entries.length === 0) return undefined;
  if (entries.includes('PG_VERSION')) return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  throw new EmbeddedPostgresError(
    `${clusterDir} is not empty, but contains no PostgreSQL cluster. Move its content away, restore a backup into ` +
      'it, or choose another data directory (BRANDPORT_DATA_DIR).',
  );
}

/** @throws EmbeddedPostgresError if another major version than that of the programs created the cluster */
export async function refuseOtherVersion(
  clusterDir: string,
  version: string,
  binaries: Binaries,
): Promise<void> {
  const { stdout } = await promisify(execFile)(binaries.postgres, ['--version']);
  const own = stdout.match(/\(PostgreSQL\) (\d+)/)?.[1] ?? stdout.trim();
  if (version === own) return;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was created by PostgreSQL ${version}; this Brandport uses PostgreSQL ${own}, which ` +
      `cannot read it. Nothing was changed. Options: dump it with PostgreSQL ${version} (pg_dump), move the ` +
      `directory away, start Brandport once and restore the dump; or go back to the Brandport release with ` +
      `PostgreSQL ${version}; or run a PostgreSQL ${version} server on the directory and set DATABASE_URL to it.`,
  );
}

/**
 * Ensures that PostgreSQL's user owns the cluster. Root changes the owner of the files, and of the directory last, so that the
 * next start continues an interrupted change.
 * @throws EmbeddedPostgresError if the cluster belongs to another user and this process is not root
 */
export async function ensureClusterOwner(
  clusterDir: string,
  owner: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const found = await stat(clusterDir);
  if (found.uid !== owner.uid) {
    if (process.getuid?.() !== 0) {
      throw new EmbeddedPostgresError(
        `${clusterDir} belongs to uid ${found.uid}, but Brandport runs as uid ${process.getuid?.()}. Start it as that ` +
          `user, or change the owner of the data directory (chown -R). ${ownServerInstead}`,
      );
    }
    const entries = await readdir(clusterDir, { recursive: true });
    for (const entry of entries) await lchown(join(clusterDir, entry), owner.uid, owner.gid);
    await chown(clusterDir, owner.uid, owner.gid);
  }
  if ((found.mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
}
