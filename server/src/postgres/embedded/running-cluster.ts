import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterRole } from './cluster.ts';
import { findPassword } from './cluster-password.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';

export async function hasCluster(dataDir: string): Promise<boolean> {
  return readFile(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the connection to the embedded PostgreSQL that another process runs on this data directory; undefined if none accepts
 * connections, or this user has no access. Line 4 of the server's pid file is the port, 5 the socket's directory, 8 its state.
 */
export async function findRunningCluster(
  dataDir: string,
): Promise<EmbeddedPostgres['connection'] | undefined> {
  try {
    const realDir = await realpath(dataDir);
    const lines = (await readFile(join(realDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    const [, , , port, socketDir, , , state] = lines;
    const password = await findPassword(realDir);
    if (state?.trim() !== 'ready' || socketDir === undefined || password === undefined) return undefined;
    return { host: socketDir, port: Number(port), user: clusterRole, password, database: clusterRole };
  } catch {
    return undefined;
  }
}
